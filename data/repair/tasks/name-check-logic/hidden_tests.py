import re

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import is_full_name

NAMES = st.text("ab1", max_size=3)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NAMES, NAMES)
def test_answer_equals_that_of_a_pattern(first, last):
    matched = re.fullmatch("[a-z]{2,} [a-z]{2,}", f"{first} {last}")
    assert is_full_name(first, last) is (matched is not None)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NAMES, NAMES, st.integers(1, 3))
def test_swapping_the_names_changes_nothing(first, last, minimum):
    assert is_full_name(first, last, minimum) is is_full_name(last, first, minimum)
    assert is_full_name(first, "1", minimum) is False


def test_one_letter_is_too_short():
    assert is_full_name("A", "Byron") is False


def test_the_minimum_can_be_set():
    assert is_full_name("A", "B", 1) is True
    assert is_full_name("Ada", "Li", 3) is False
