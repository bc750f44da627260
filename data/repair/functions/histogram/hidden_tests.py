from hypothesis import given, settings
from hypothesis import strategies as st
from solution import histogram

VALUES = st.lists(st.integers(-3, 14), max_size=8)
SHAPE = (st.integers(-1, 2), st.integers(1, 4), st.integers(1, 4))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES, *SHAPE)
def test_each_bin_counts_its_half_open_range(values, low, width, bins):
    starts = [low + width * n for n in range(bins)]
    expected = [sum(start <= value < start + width for value in values) for start in starts]
    assert histogram(values, low, width, bins) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES)
def test_bins_around_all_values_count_them_all(values):
    assert sum(histogram(values, -3, 6, 3)) == len(values)


def test_the_last_value_of_the_last_bin():
    assert histogram([5, 6], 0, 3, 2) == [0, 1]


def test_no_bins():
    assert histogram([1], 0, 1, 0) == []
