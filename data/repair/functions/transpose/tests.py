from solution import transpose


def test_rows_become_columns():
    assert transpose([[1, 2], [3, 4]]) == [[1, 3], [2, 4]]


def test_short_rows_are_filled():
    assert transpose([[1], [2, 3]]) == [[1, 2], [0, 3]]


def test_the_filling_can_be_set():
    assert transpose([[5, 6], []], 9) == [[5, 9], [6, 9]]


def test_no_rows_have_no_columns():
    assert transpose([]) == []
