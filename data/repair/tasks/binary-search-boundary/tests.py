from solution import find_index


def test_the_middle_item():
    assert find_index([1, 4, 9], 4) == 1


def test_the_last_item():
    assert find_index([1, 4, 9, 12], 12) == 3


def test_a_single_item():
    assert find_index([5], 5) == 0


def test_a_missing_item():
    assert find_index([1, 4, 9], 5) == -1
