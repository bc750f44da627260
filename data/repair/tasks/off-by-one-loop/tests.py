from solution import countdown


def test_counts_down_to_one():
    assert countdown(3) == [3, 2, 1]


def test_one_is_counted():
    assert countdown(1) == [1]


def test_nothing_from_zero():
    assert countdown(0) == []


def test_nothing_from_below_zero():
    assert countdown(-2) == []
