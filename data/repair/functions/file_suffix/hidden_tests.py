import re

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import file_suffix


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("aB./", max_size=7))
def test_suffix_equals_the_pattern_form(path):
    found = re.fullmatch(r"(?:.*/)?[^/]+(\.[^./]+)", path)
    assert file_suffix(path) == (found[1].lower() if found else "")


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("ab", min_size=1, max_size=3), st.text("xY", min_size=1, max_size=3))
def test_a_suffix_added_is_found(stem, suffix):
    assert file_suffix(f"{stem}/{stem}.{suffix}") == f".{suffix.lower()}"


def test_nothing_before_the_dot():
    assert file_suffix("a/.x") == ""
    assert file_suffix("") == ""


def test_a_hidden_file_with_a_suffix():
    assert file_suffix(".config.py") == ".py"
