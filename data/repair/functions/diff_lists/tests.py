from solution import diff_lists


def test_equal_lists_do_not_differ():
    assert diff_lists([1, 2], [2, 1]) == ([], [])


def test_new_items_are_added():
    assert diff_lists([1], [3, 1, 2]) == ([3, 2], [])


def test_missing_items_are_removed():
    assert diff_lists([1, 2, 3], [2]) == ([], [1, 3])


def test_repeats_are_counted():
    assert diff_lists([5, 5], [5, 6]) == ([6], [5])
