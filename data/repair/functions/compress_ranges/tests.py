from solution import compress_ranges


def test_neighbours_are_joined():
    assert compress_ranges([1, 2, 3, 5]) == "1-3,5"


def test_two_neighbours_are_a_range():
    assert compress_ranges([7, 8]) == "7-8"


def test_numbers_are_sorted_without_repeats():
    assert compress_ranges([9, 4, 9]) == "4,9"


def test_no_numbers():
    assert compress_ranges([]) == ""
    assert compress_ranges([6]) == "6"
