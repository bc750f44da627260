from hypothesis import given, settings
from hypothesis import strategies as st
from solution import name_length

NAMES = st.none() | st.text("ab ", max_size=6)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NAMES)
def test_length_is_the_span_of_the_letters(name):
    letters = [place for place, char in enumerate(name or "") if char != " "]
    assert name_length(name) == (letters[-1] - letters[0] + 1 if letters else 0)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NAMES)
def test_a_missing_name_counts_like_an_empty_one(name):
    assert name_length(name) == name_length(name or "")


def test_none_is_zero():
    assert name_length(None) == 0


def test_spaces_within_count():
    assert name_length(" a b ") == 3
