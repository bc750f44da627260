from solution import partition


def test_smaller_items_come_first():
    assert partition([5, 1, 4, 2], 3) == [1, 2, 5, 4]


def test_equal_items_come_between():
    assert partition([3, 9, 3, 1], 3) == [1, 3, 3, 9]


def test_order_within_a_part_stays():
    assert partition([8, 7, 6], 5) == [8, 7, 6]


def test_the_pivot_next_to_larger_items():
    assert partition([4, 3, 2], 3) == [2, 3, 4]
