from solution import above


def test_larger_values_are_kept():
    assert above([1, 5, 3, 8], 3) == [5, 8]


def test_the_limit_itself_is_not_kept():
    assert above([4, 4], 4) == []


def test_smaller_values_are_dropped():
    assert above([1, 2], 9) == []


def test_no_values():
    assert above([], 0) == []
