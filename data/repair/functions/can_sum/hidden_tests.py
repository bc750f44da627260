import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import can_sum

VALUES = st.lists(st.integers(1, 9), max_size=5)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES, st.integers(0, 20))
def test_answer_equals_that_of_trying_all_choices(values, target):
    sizes = range(len(values) + 1)
    choices = itertools.chain.from_iterable(itertools.combinations(values, n) for n in sizes)
    assert can_sum(values, target) is any(sum(choice) == target for choice in choices)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES)
def test_all_values_together_are_a_choice(values):
    assert can_sum(values, sum(values)) is True
    assert can_sum(values, sum(values) + 1) is False


def test_equal_values_are_different_ones():
    assert can_sum([3, 3], 6) is True


def test_a_negative_target():
    assert can_sum([1, 2], -1) is False
