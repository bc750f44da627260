from solution import sum_first


def test_the_first_two():
    assert sum_first([5, 6, 7], 2) == 11


def test_all_values():
    assert sum_first([1, 2, 3], 3) == 6


def test_more_than_there_are():
    assert sum_first([4], 9) == 4


def test_none_of_them():
    assert sum_first([4, 5], 0) == 0
