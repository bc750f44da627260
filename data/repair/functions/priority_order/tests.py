from solution import priority_order


def test_urgent_tasks_come_first():
    assert priority_order([("a", 9, 8), ("b", 1, 1)]) == ["b", "a"]


def test_higher_priority_comes_first():
    assert priority_order([("a", 1, 5), ("b", 3, 5)]) == ["b", "a"]


def test_ties_go_by_name():
    assert priority_order([("b", 2, 4), ("a", 2, 3)]) == ["a", "b"]


def test_two_days_are_urgent():
    assert priority_order([("a", 5, 3), ("b", 1, 2)]) == ["b", "a"]
    assert priority_order([("a", 5, 3), ("b", 1, 2)], 1) == ["a", "b"]
