from solution import histogram


def test_values_fall_into_their_bins():
    assert histogram([1, 2, 6, 11], 0, 5, 3) == [2, 1, 1]


def test_a_border_belongs_to_the_upper_bin():
    assert histogram([10, 20], 10, 10, 2) == [1, 1]


def test_values_outside_are_left_out():
    assert histogram([-1, 30, 2], 0, 10, 3) == [1, 0, 0]


def test_no_values_leave_empty_bins():
    assert histogram([], 0, 1, 2) == [0, 0]
