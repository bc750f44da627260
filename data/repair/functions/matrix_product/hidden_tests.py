from hypothesis import given, settings
from hypothesis import strategies as st
from solution import matrix_product

CELL = st.integers(-3, 3)
SQUARE = st.lists(st.lists(CELL, min_size=2, max_size=2), min_size=2, max_size=2)
PAIR = st.lists(CELL, min_size=2, max_size=2)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SQUARE, SQUARE, PAIR)
def test_a_product_acts_as_one_map_after_the_other(a, b, vector):
    column = [[x] for x in vector]
    after = matrix_product(a, matrix_product(b, column))
    assert matrix_product(matrix_product(a, b), column) == after


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SQUARE, SQUARE)
def test_each_cell_is_a_sum_of_two_products(a, b):
    cells = [[a[i][0] * b[0][j] + a[i][1] * b[1][j] for j in (0, 1)] for i in (0, 1)]
    assert matrix_product(a, b) == cells


def test_the_identity_changes_nothing():
    assert matrix_product([[1, 0], [0, 1]], [[7, 8, 9], [4, 5, 6]]) == [[7, 8, 9], [4, 5, 6]]


def test_too_many_rows_on_the_right():
    assert matrix_product([[1]], [[1], [2]]) is None
