from solution import merge_sorted


def test_items_alternate():
    assert merge_sorted([1, 4], [2, 5]) == [1, 2, 4, 5]


def test_the_rest_of_the_right_list_follows():
    assert merge_sorted([1], [0, 2, 3]) == [0, 1, 2, 3]


def test_the_rest_of_the_left_list_follows():
    assert merge_sorted([3, 7, 8], [5]) == [3, 5, 7, 8]


def test_one_list_may_be_empty():
    assert merge_sorted([], [1, 2]) == [1, 2]
    assert merge_sorted([1, 2], []) == [1, 2]
