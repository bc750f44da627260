from hypothesis import given, settings
from hypothesis import strategies as st
from solution import give_change


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 130))
def test_coins_add_up_and_fall(cents):
    given = give_change(cents)
    assert sum(given) == cents
    assert given == sorted(given, reverse=True)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 130))
def test_no_coins_could_be_swapped_for_a_larger_one(cents):
    given = give_change(cents)
    assert sum(coin for coin in given if coin < 25) < 25
    assert sum(coin for coin in given if coin < 10) < 10
    assert given.count(1) < 5


def test_small_amounts():
    assert give_change(0) == []
    assert give_change(19) == [10, 5, 1, 1, 1, 1]


def test_a_rest_that_no_coin_pays():
    assert give_change(7, (5,)) == [5]
