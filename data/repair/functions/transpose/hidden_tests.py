import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import transpose

ROWS = st.lists(st.lists(st.integers(1, 9), max_size=4), max_size=4)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ROWS, st.integers(-1, 1))
def test_columns_equal_those_of_padded_rows(rows, fill):
    columns = itertools.zip_longest(*rows, fillvalue=fill)
    assert transpose(rows, fill) == [list(column) for column in columns]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.lists(st.tuples(st.integers(), st.integers()), min_size=1, max_size=4))
def test_turning_twice_restores_a_full_grid(pairs):
    rows = [list(pair) for pair in pairs]
    assert transpose(transpose(rows)) == rows


def test_a_single_row():
    assert transpose([[1, 2, 3]]) == [[1], [2], [3]]


def test_short_and_empty_rows():
    assert transpose([[1], [2, 3]]) == [[1, 2], [0, 3]]
    assert transpose([[], []]) == []
