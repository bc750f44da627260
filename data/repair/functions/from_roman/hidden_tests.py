from hypothesis import given, settings
from hypothesis import strategies as st
from solution import from_roman

TENS = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX", "XC"]
ONES = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 3))
def test_value_equals_the_place_in_the_tables(tens, ones, hundreds):
    text = "C" * hundreds + TENS[tens] + ONES[ones]
    assert from_roman(text) == 100 * hundreds + 10 * tens + ones


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("IVXLC", max_size=4))
def test_a_hundred_in_front_adds_a_hundred(text):
    assert from_roman("C" + text) == 100 + from_roman(text)


def test_every_sign():
    assert [from_roman(sign) for sign in "IVXLC"] == [1, 5, 10, 50, 100]


def test_ninety_nine():
    assert from_roman("XCIX") == 99
