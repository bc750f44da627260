import re

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import expand_runs

PIECES = st.lists(st.tuples(st.integers(1, 25), st.sampled_from("abc")), max_size=5)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PIECES)
def test_written_counts_are_expanded(pieces):
    code = "".join(f"{count}{char}" for count, char in pieces)
    assert expand_runs(code) == "".join(char * count for count, char in pieces)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("ab012", max_size=6))
def test_code_equals_the_pattern_form(code):
    found = re.findall(r"(\d*)(\D)", code)
    assert expand_runs(code) == "".join(char * (int(count or 1) or 1) for count, char in found)


def test_a_number_at_the_end_adds_nothing():
    assert expand_runs("a4") == "a"


def test_empty_code_is_empty_text():
    assert expand_runs("") == ""
