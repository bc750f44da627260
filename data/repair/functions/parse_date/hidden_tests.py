from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import parse_date


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, date.max.toordinal()))
def test_every_date_is_read_from_its_iso_form(ordinal):
    when = date.fromordinal(ordinal)
    assert parse_date(when.isoformat()) == (when.year, when.month, when.day)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.sampled_from([0, 1, 12, 13]), st.sampled_from([0, 1, 31, 32]))
def test_ranges_of_month_and_day(month, day):
    valid = month in range(1, 13) and day in range(1, 32)
    assert parse_date(f"2024-{month}-{day}") == ((2024, month, day) if valid else None)


def test_too_few_or_too_many_parts():
    assert parse_date("2024-05") is None
    assert parse_date("2024-05-06-07") is None


def test_empty_text_and_empty_part():
    assert parse_date("") is None
    assert parse_date("2024--1") is None
