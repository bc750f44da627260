from hypothesis import given, settings
from hypothesis import strategies as st
from solution import shipping_cost

WEIGHTS = st.sampled_from([-5, 0, 1, 2, 999, 1000, 1001, 5000])


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(WEIGHTS, st.booleans(), st.booleans())
def test_cost_equals_the_table(grams, express, member):
    if grams < 1:
        expected = 0
    else:
        light = grams < 1001
        plain = 0 if member else (500 if light else 900)
        expected = (900 if light else 1300) if express else plain
    assert shipping_cost(grams, express, member) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 3000))
def test_express_adds_a_fixed_amount(grams):
    assert shipping_cost(grams, True) - shipping_cost(grams) == 400


def test_heavy_express():
    assert shipping_cost(3000, True) == 1300


def test_a_single_gram_and_none():
    assert shipping_cost(1) == 500
    assert shipping_cost(0) == 0
