import re

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import tokenize


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("12+( x)", max_size=9))
def test_tokens_equal_those_of_a_pattern(text):
    assert tokenize(text) == re.findall(r"\d+|[-+*/()]", text)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.lists(st.integers(0, 120), max_size=4), st.sampled_from("+-*/ "))
def test_numbers_come_back(numbers, sign):
    tokens = tokenize(sign.join(map(str, numbers)))
    assert [int(token) for token in tokens if token.isdigit()] == numbers


def test_empty_text():
    assert tokenize("") == []


def test_a_number_at_the_end():
    assert tokenize("/70") == ["/", "70"]
