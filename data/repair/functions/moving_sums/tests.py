from solution import moving_sums


def test_each_window_is_summed():
    assert moving_sums([1, 2, 3, 4], 2) == [3, 5, 7]


def test_a_window_over_all_values():
    assert moving_sums([1, 2, 3], 3) == [6]


def test_a_window_that_is_too_long():
    assert moving_sums([1, 2], 3) == []


def test_a_window_must_hold_a_value():
    assert moving_sums([1, 2], 0) == []
    assert moving_sums([1, 2], 1) == [1, 2]
