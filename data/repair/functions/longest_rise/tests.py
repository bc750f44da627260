from solution import longest_rise


def test_a_rise_in_the_middle():
    assert longest_rise([5, 1, 2, 3, 0]) == 3


def test_equal_values_end_a_rise():
    assert longest_rise([1, 2, 2, 3]) == 2


def test_falling_values_are_runs_of_one():
    assert longest_rise([3, 2, 1]) == 1


def test_no_values():
    assert longest_rise([]) == 0
    assert longest_rise([4, 9]) == 2
