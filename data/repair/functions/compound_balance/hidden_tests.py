from functools import reduce

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import compound_balance

MONEY = st.integers(0, 2000)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(MONEY, st.integers(0, 12), st.integers(0, 4), st.integers(0, 30))
def test_balance_equals_repeated_growth(cents, percent, years, fee):
    fees = [fee] * years
    grown = reduce(lambda now, cost: max((now * (100 + percent)) // 100 - cost, 0), fees, cents)
    assert compound_balance(cents, percent, years, fee) == grown


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(MONEY, st.integers(0, 12))
def test_no_years_change_nothing(cents, percent):
    assert compound_balance(cents, percent, 0, 7) == cents


def test_interest_is_rounded_down():
    assert compound_balance(19, 10, 1) == 20


def test_without_interest_or_fee():
    assert compound_balance(99, 0, 5) == 99
