from hypothesis import given, settings
from hypothesis import strategies as st
from solution import order_total

PRICES = st.lists(st.integers(0, 6000), max_size=5)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PRICES)
def test_total_equals_the_rule(prices):
    whole = sum(prices)
    off = -(-whole // 10) if whole in range(10001, 60000) else 0
    assert order_total(prices) == whole - off


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 10000))
def test_up_to_10000_nothing_is_taken_off(price):
    assert order_total([price]) == price


def test_no_prices():
    assert order_total([]) == 0


def test_a_round_large_order():
    assert order_total([20000]) == 18000
