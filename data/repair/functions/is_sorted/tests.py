from solution import is_sorted


def test_rising_items_are_sorted():
    assert is_sorted([1, 2, 5]) is True


def test_a_fall_is_not():
    assert is_sorted([1, 5, 2]) is False


def test_equal_items_are_sorted_unless_strict():
    assert is_sorted([1, 1, 2]) is True
    assert is_sorted([1, 1, 2], True) is False


def test_strict_and_rising():
    assert is_sorted([1, 3], True) is True
