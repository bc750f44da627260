from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import day_of_year


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 364))
def test_common_year_equals_the_calendar(offset):
    when = date(2023, 1, 1) + timedelta(offset)
    assert day_of_year(when.month, when.day) == when.timetuple().tm_yday


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 365))
def test_leap_year_equals_the_calendar(offset):
    when = date(2024, 1, 1) + timedelta(offset)
    assert day_of_year(when.month, when.day, True) == (when - date(2023, 12, 31)).days


def test_february_is_before_the_leap_day():
    assert day_of_year(2, 28, True) == day_of_year(2, 28) == 59


def test_starts_of_later_months():
    assert [day_of_year(month, 1) for month in (5, 7, 10, 12)] == [121, 182, 274, 335]
