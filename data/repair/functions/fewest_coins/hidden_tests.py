from hypothesis import given, settings
from hypothesis import strategies as st
from solution import fewest_coins

COINS = st.lists(st.integers(1, 6), max_size=3)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 12), COINS)
def test_number_equals_the_rounds_of_adding_a_coin(amount, coins):
    sums = {0}
    expected = None
    for count in range(amount + 1):
        if amount in sums:
            expected = count
            break
        sums = {total + coin for total in sums for coin in coins}
    assert fewest_coins(amount, coins) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 9), st.integers(0, 6))
def test_multiples_of_one_coin(coin, count):
    assert fewest_coins(coin * count, [coin]) == count


def test_nothing_needs_no_coin():
    assert fewest_coins(0, [5]) == 0


def test_no_coins_at_all():
    assert fewest_coins(2, []) is None
