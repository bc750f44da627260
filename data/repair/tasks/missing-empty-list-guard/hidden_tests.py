from hypothesis import given, settings
from hypothesis import strategies as st
from solution import average

VALUES = st.lists(st.integers(-9, 9), max_size=6)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES)
def test_mean_times_number_is_the_sum(values):
    assert abs(average(values) * len(values) - sum(values)) < 1e-6


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES)
def test_mean_lies_between_the_extremes(values):
    assert min(values, default=0) <= average(values) <= max(values, default=0)


def test_an_empty_list():
    assert average([]) == 0.0


def test_negative_values():
    assert average([-3, -1]) == -2.0
