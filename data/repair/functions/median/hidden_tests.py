import statistics

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import median

VALUES = st.lists(st.integers(-9, 9), min_size=1, max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES)
def test_median_equals_that_of_the_library(values):
    assert median(values) == statistics.median(values)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES)
def test_as_many_values_lie_below_as_above(values):
    middle = median(values)
    half = len(values) / 2
    assert sum(value < middle for value in values) <= half
    assert sum(value > middle for value in values) <= half


def test_few_values():
    assert median([1, 2]) == 1.5
    assert median([]) is None


def test_equal_values():
    assert median([3, 3, 3, 3]) == 3
