from solution import spiral


def test_a_square_is_walked_around():
    assert spiral([[1, 2], [4, 3]]) == [1, 2, 3, 4]


def test_the_middle_comes_last():
    assert spiral([[1, 2, 3], [8, 9, 4], [7, 6, 5]]) == [1, 2, 3, 4, 5, 6, 7, 8, 9]


def test_a_wide_grid():
    assert spiral([[1, 2, 3], [6, 5, 4]]) == [1, 2, 3, 4, 5, 6]


def test_no_rows_have_no_cells():
    assert spiral([]) == []
