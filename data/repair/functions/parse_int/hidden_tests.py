import re

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import parse_int


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(-5000, 5000))
def test_printed_numbers_come_back(number):
    assert parse_int(str(number)) == number
    assert parse_int(f"{number:+d}") == number


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("09+-/:", max_size=3))
def test_only_well_formed_text_is_a_number(text):
    expected = int(text) if re.fullmatch(r"[+-]?[0-9]+", text) else None
    assert parse_int(text) == expected


def test_zeros_at_the_start():
    assert parse_int("-007") == -7


def test_two_signs_are_refused():
    assert parse_int("--1") is None
