from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import workdays

MONDAY = date(2024, 1, 1)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 6), st.integers(0, 16), st.lists(st.integers(0, 9), max_size=3))
def test_count_equals_that_of_real_dates(first, days, holidays):
    dates = [MONDAY + timedelta(first + offset) for offset in range(days)]
    free = {MONDAY + timedelta(first + offset) for offset in holidays}
    assert workdays(first, days, holidays) == sum(
        day.isoweekday() <= 5 for day in dates if day not in free
    )


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 6), st.integers(0, 5))
def test_whole_weeks_have_five_each(first, weeks):
    assert workdays(first, 7 * weeks) == 5 * weeks


def test_no_days():
    assert workdays(2, 0) == 0


def test_a_holiday_on_sunday_changes_nothing():
    assert workdays(6, 3, [0]) == 2
