from solution import matrix_product


def test_rows_times_columns():
    assert matrix_product([[1, 2], [3, 4]], [[5, 6], [7, 8]]) == [[19, 22], [43, 50]]


def test_a_row_times_a_column():
    assert matrix_product([[1, 2, 3]], [[4], [5], [6]]) == [[32]]


def test_a_column_times_a_row():
    assert matrix_product([[2], [3]], [[4, 5]]) == [[8, 10], [12, 15]]


def test_sizes_that_do_not_fit():
    assert matrix_product([[1, 2]], [[3]]) is None
    assert matrix_product([], [[1]]) is None
