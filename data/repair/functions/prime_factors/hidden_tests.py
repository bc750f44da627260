import math

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import prime_factors

NUMBERS = st.integers(1, 300)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NUMBERS)
def test_factors_multiply_to_the_number(number):
    factors = prime_factors(number)
    assert math.prod(factors) == number
    assert factors == sorted(factors)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NUMBERS)
def test_factors_are_prime(number):
    factors = prime_factors(number)
    assert all(factor > 1 and all(factor % n for n in range(2, factor)) for factor in factors)


def test_small_numbers():
    assert [prime_factors(n) for n in (3, 4, 6, 9)] == [[3], [2, 2], [2, 3], [3, 3]]


def test_zero_has_no_factors():
    assert prime_factors(0) == []
