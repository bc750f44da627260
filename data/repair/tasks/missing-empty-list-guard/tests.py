from solution import average


def test_mean_of_two():
    assert average([2, 4]) == 3.0


def test_mean_of_one():
    assert average([7]) == 7.0


def test_no_values_have_mean_zero():
    assert average([]) == 0.0


def test_mean_may_be_a_fraction():
    assert average([1, 2]) == 1.5
