import re

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import parse_pairs


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.dictionaries(st.text("ab", min_size=1, max_size=3), st.text("12", max_size=3)))
def test_written_pairs_come_back(pairs):
    assert parse_pairs("; ".join(f"{key} = {value}" for key, value in pairs.items())) == pairs


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("a=; 1", max_size=10))
def test_pairs_equal_those_of_a_pattern(text):
    found = re.findall(r"(?:^|;) *([^=;]*[^=; ]) *=([^;]*)", text)
    assert parse_pairs(text) == {key: value.strip() for key, value in found}


def test_the_last_value_counts():
    assert parse_pairs("a=1;a=2") == {"a": "2"}


def test_empty_text():
    assert parse_pairs("") == {}
