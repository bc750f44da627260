from solution import parse_ranges


def test_a_range_includes_both_ends():
    assert parse_ranges("1-3") == [1, 2, 3]


def test_single_numbers_stand_alone():
    assert parse_ranges("4,9") == [4, 9]


def test_parts_keep_their_order():
    assert parse_ranges("7,1-2") == [7, 1, 2]


def test_empty_parts_are_skipped():
    assert parse_ranges(",5,") == [5]
