from solution import most_common


def test_the_most_frequent_value():
    assert most_common([1, 7, 7, 2]) == 7


def test_the_smallest_on_ties():
    assert most_common([5, 3, 5, 3, 1]) == 3


def test_a_value_must_occur_often_enough():
    assert most_common([4, 4, 6], 2) == 4
    assert most_common([1, 2], 2) is None


def test_no_values():
    assert most_common([]) is None
    assert most_common([8]) == 8
