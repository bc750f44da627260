from solution import median


def test_the_middle_of_three():
    assert median([9, 1, 5]) == 5


def test_the_mean_of_the_middle_two():
    assert median([4, 1, 9, 2]) == 3.0


def test_a_single_value():
    assert median([7]) == 7


def test_no_values_have_no_median():
    assert median([]) is None
