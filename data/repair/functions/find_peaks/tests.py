from solution import find_peaks


def test_a_peak_is_above_both_neighbours():
    assert find_peaks([1, 3, 2, 4, 1]) == [1, 3]


def test_plateaus_and_ends_are_no_peaks():
    assert find_peaks([1, 3, 3, 1]) == []
    assert find_peaks([9, 1, 9]) == []


def test_the_floor_is_zero_by_default():
    assert find_peaks([-3, 0, -2]) == [1]
    assert find_peaks([-3, -1, -2]) == []


def test_peaks_below_the_floor_are_left_out():
    assert find_peaks([1, 3, 1, 5, 1], 4) == [3]
    assert find_peaks([0, 4, 0], 4) == [1]
