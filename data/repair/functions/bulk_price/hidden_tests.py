from hypothesis import given, settings
from hypothesis import strategies as st
from solution import bulk_price


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 40), st.integers(-3, 60))
def test_price_equals_the_table(unit, quantity):
    table = [(50, 20), (10, 5), (1, 0)]
    percent = next((off for least, off in table if quantity >= least), 100)
    expected = 0 if percent == 100 else unit * quantity - unit * quantity * percent // 100
    assert bulk_price(unit, quantity) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 300), st.sampled_from([9, 10, 11, 49, 50, 51]))
def test_share_paid_near_the_borders(unit, quantity):
    share = 100 if quantity < 10 else 95 if quantity < 50 else 80
    assert bulk_price(unit * 100, quantity) == unit * quantity * share


def test_zero_units_and_fewer():
    assert bulk_price(5, 0) == 0
    assert bulk_price(5, -4) == 0


def test_a_discount_is_rounded_down():
    assert bulk_price(1, 11) == 11
    assert bulk_price(3, 50) == 120
