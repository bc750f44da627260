from solution import flatten


def test_nested_lists_are_opened():
    assert flatten([1, [2, [3]], 4]) == [1, 2, 3, 4]


def test_empty_lists_vanish():
    assert flatten([[], [[]]]) == []


def test_given_items_come_first():
    assert flatten([[7]], [5]) == [5, 7]


def test_every_call_starts_afresh():
    flatten([1])
    assert flatten([2]) == [2]
