import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import best_profit

PRICES = st.lists(st.integers(1, 9), max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PRICES, st.integers(0, 3))
def test_gain_is_the_best_of_all_pairs(prices, fee):
    gains = [sale - bought - fee for bought, sale in itertools.combinations(prices, 2)]
    assert best_profit(prices, fee) == max([0, *gains])


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PRICES)
def test_turned_prices_give_the_largest_fall(prices):
    falls = [early - late for early, late in itertools.combinations(prices, 2)]
    assert best_profit(prices[::-1]) == max([0, *falls])


def test_a_single_price():
    assert best_profit([5]) == 0


def test_the_first_price_may_be_the_lowest():
    assert best_profit([1, 8, 3]) == 7
