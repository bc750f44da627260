from solution import can_sum


def test_two_values_add_up():
    assert can_sum([3, 5, 9], 8) is True


def test_a_single_value_is_enough():
    assert can_sum([4, 7], 7) is True


def test_no_choice_adds_up():
    assert can_sum([4, 6], 5) is False


def test_a_value_is_used_once():
    assert can_sum([3], 6) is False
    assert can_sum([], 0) is True
