from solution import diagonal_gap


def test_both_diagonals_count():
    assert diagonal_gap([[1, 2], [3, 5]]) == 1


def test_three_rows():
    assert diagonal_gap([[1, 0, 2], [0, 4, 0], [3, 0, 9]]) == 5


def test_a_single_cell_has_no_gap():
    assert diagonal_gap([[7]]) == 0


def test_an_empty_grid_has_no_gap():
    assert diagonal_gap([]) == 0
