from hypothesis import given, settings
from hypothesis import strategies as st
from solution import longest_rise

VALUES = st.lists(st.integers(0, 4), max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES)
def test_length_equals_that_of_the_longest_rising_slice(values):
    ends = range(len(values) + 1)
    slices = [values[a:b] for a in ends for b in ends if a < b]
    rising = [len(s) for s in slices if s == sorted(set(s))]
    assert longest_rise(values) == max(rising, default=0)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 6), st.integers(0, 6))
def test_the_longer_of_two_rises_counts(first, second):
    values = [*range(first), *range(-9, second - 9)]
    assert longest_rise(values) == max(first, second)


def test_all_values_rise():
    assert longest_rise([1, 2, 3, 4]) == 4


def test_a_single_value():
    assert longest_rise([-1]) == 1
