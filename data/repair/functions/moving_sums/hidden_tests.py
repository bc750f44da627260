from hypothesis import given, settings
from hypothesis import strategies as st
from solution import moving_sums

VALUES = st.lists(st.integers(-5, 9), max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES, st.integers(1, 5))
def test_sums_equal_those_of_slices(values, window):
    starts = range(len(values) - window + 1)
    assert moving_sums(values, window) == [sum(values[s : s + window]) for s in starts]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES, st.integers(-2, 9))
def test_number_of_sums(values, window):
    fits = window in range(1, len(values) + 1)
    assert len(moving_sums(values, window)) == (len(values) - window + 1 if fits else 0)


def test_no_values():
    assert moving_sums([], 1) == []


def test_negative_window():
    assert moving_sums([1, 2, 3], -1) == []
