from solution import rotate_left


def test_the_first_items_move_to_the_end():
    assert rotate_left([1, 2, 3, 4], 1) == [2, 3, 4, 1]


def test_more_steps_than_items_go_round():
    assert rotate_left([1, 2, 3], 5) == [3, 1, 2]


def test_no_items_stay_no_items():
    assert rotate_left([], 2) == []


def test_negative_steps_go_right():
    assert rotate_left([1, 2, 3], -1) == [3, 1, 2]
