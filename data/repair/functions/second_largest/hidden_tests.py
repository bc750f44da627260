from hypothesis import given, settings
from hypothesis import strategies as st
from solution import second_largest

VALUES = st.lists(st.integers(-3, 4), max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES)
def test_second_equals_that_of_the_sorted_set(values):
    ordered = sorted(set(values))
    assert second_largest(values) == (ordered[-2] if len(ordered) > 1 else None)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES)
def test_a_larger_value_makes_the_maximum_second(values):
    assert second_largest([*values, 10]) == max(values, default=None)
    assert second_largest([10, *values]) == max(values, default=None)


def test_rising_and_falling():
    assert second_largest([1, 2, 3]) == second_largest([3, 2, 1]) == 2


def test_a_zero_is_a_value():
    assert second_largest([0, 1]) == 0
    assert second_largest([-2, 0]) == -2
