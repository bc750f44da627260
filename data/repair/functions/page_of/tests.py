from solution import page_of


def test_the_first_page_is_the_default():
    assert page_of([1, 2, 3, 4]) == [1, 2, 3]


def test_the_last_page_may_be_short():
    assert page_of([1, 2, 3, 4, 5], 2) == [4, 5]


def test_the_size_can_be_set():
    assert page_of([1, 2, 3, 4, 5, 6], 3, 2) == [5, 6]


def test_page_and_size_below_one_are_empty():
    assert page_of([1, 2, 3, 4], -1) == []
    assert page_of([1, 2, 3], 1, -1) == []
    assert page_of([1, 2, 3], 2, 1) == [2]
