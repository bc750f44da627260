import re

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import parse_size


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 500), st.sampled_from(["", "b", "B", "k", "K", "m", "M"]))
def test_size_is_a_power_of_two_times_the_number(number, unit):
    shift = {"": 0, "b": 0, "k": 10, "m": 20}[unit.lower()]
    assert parse_size(f"{number}{unit}") == number << shift


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("1kbx-", max_size=3))
def test_only_digits_and_one_unit_are_a_size(text):
    valid = re.fullmatch("[0-9]+[kbm]?", text) is not None
    assert (parse_size(text) is not None) is valid


def test_two_units_are_refused():
    assert parse_size("1kb") is None


def test_nothing_of_a_unit():
    assert parse_size("0m") == 0
