import calendar

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import next_billing

MONTHS = st.integers(1, 12)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(MONTHS, st.integers(0, 30), st.integers(1, 31))
def test_bill_equals_counting_months_from_year_zero(month, every, day):
    year, index = divmod(2020 * 12 + month - 1 + every, 12)
    last = calendar.monthrange(2023, index + 1)[1]
    assert next_billing(2020, month, day, every) == (year, index + 1, min(day, last))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(MONTHS, st.integers(1, 28))
def test_twelve_bills_make_a_year(month, day):
    bill = (2020, month, day)
    for _ in range(12):
        bill = next_billing(*bill)
    assert bill == (2021, month, day)


def test_a_whole_year_at_once():
    assert next_billing(2020, 12, 5, 12) == (2021, 12, 5)


def test_month_ends():
    ends = [next_billing(2023, month, 31)[2] for month in range(1, 13)]
    assert ends == [28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31, 31]
