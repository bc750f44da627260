from solution import hops


def test_start_and_goal_may_be_the_same():
    assert hops({"a": ["b"]}, "a", "a") == 0


def test_the_shortest_way_counts():
    assert hops({"a": ["b", "c"], "b": ["c"]}, "a", "c") == 1


def test_each_edge_counts_one():
    assert hops({"a": ["b"], "b": ["c"], "c": ["d"]}, "a", "d") == 3


def test_there_may_be_no_way():
    assert hops({"a": ["b"], "b": ["a"]}, "a", "z") is None
