from solution import second_largest


def test_second_of_three():
    assert second_largest([4, 9, 7]) == 7


def test_a_repeated_maximum_counts_once():
    assert second_largest([9, 9, 3]) == 3


def test_equal_values_have_no_second():
    assert second_largest([5, 5]) is None
    assert second_largest([]) is None


def test_the_second_may_come_late():
    assert second_largest([8, 2, 3, 5]) == 5
