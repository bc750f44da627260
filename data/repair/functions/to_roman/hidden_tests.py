from hypothesis import given, settings
from hypothesis import strategies as st
from solution import to_roman

TENS = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX"]
ONES = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 89))
def test_text_equals_tens_and_ones_from_a_table(number):
    assert to_roman(number) == TENS[number // 10] + ONES[number % 10]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 79))
def test_ten_more_changes_the_tens_alone(number):
    ones = ONES[number % 10]
    assert to_roman(number + 10) == TENS[number // 10 + 1] + ones


def test_one():
    assert to_roman(1) == "I"


def test_the_largest():
    assert to_roman(89) == "LXXXIX"
