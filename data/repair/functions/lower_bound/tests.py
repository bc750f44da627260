from solution import lower_bound


def test_the_place_of_an_item():
    assert lower_bound([1, 3, 5], 3) == 1


def test_the_first_of_equal_items():
    assert lower_bound([2, 4, 4, 4, 6], 4) == 1


def test_a_target_above_all_comes_at_the_end():
    assert lower_bound([1, 3, 5], 9) == 3


def test_a_target_below_all_comes_first():
    assert lower_bound([5, 7], 1) == 0
    assert lower_bound([], 1) == 0
