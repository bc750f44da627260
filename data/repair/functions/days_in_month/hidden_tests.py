import calendar

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import days_in_month

YEARS = st.sampled_from([1600, 1700, 1900, 2000, 2100, 2400]) | st.integers(1990, 2030)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(YEARS)
def test_all_months_equal_those_of_the_calendar(year):
    months = range(1, 13)
    expected = [calendar.monthrange(year, month)[1] for month in months]
    assert [days_in_month(year, month) for month in months] == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(YEARS)
def test_a_year_has_365_or_366_days(year):
    total = sum(days_in_month(year, month) for month in range(1, 13))
    assert total == 365 + calendar.isleap(year)


def test_centuries():
    assert [days_in_month(year, 2) for year in (1800, 2100, 2400)] == [28, 28, 29]


def test_ordinary_leap_years():
    assert [days_in_month(year, 2) for year in (1996, 1998, 2028)] == [29, 28, 29]
