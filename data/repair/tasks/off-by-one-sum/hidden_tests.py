from hypothesis import given, settings
from hypothesis import strategies as st
from solution import sum_first

VALUES = st.lists(st.integers(-5, 9), max_size=6)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES, st.integers(0, 8))
def test_sum_equals_that_of_a_slice(values, count):
    assert sum_first(values, count) == sum(values[:count])


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES, st.integers(0, 5))
def test_one_more_adds_the_next_value(values, count):
    step = sum_first(values, count + 1) - sum_first(values, count)
    assert step == sum(values[count : count + 1])


def test_no_values():
    assert sum_first([], 3) == 0


def test_the_first_one():
    assert sum_first([7, 1], 1) == 7
