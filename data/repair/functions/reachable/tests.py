from solution import reachable


def test_a_chain_is_followed_to_its_end():
    assert reachable({"a": ["b"], "b": ["c"]}, "a") == {"a", "b", "c"}


def test_edges_are_not_followed_backwards():
    assert reachable({"a": ["b"], "b": ["c"]}, "b") == {"b", "c"}


def test_a_circle_ends():
    assert reachable({"a": ["b"], "b": ["a"]}, "a") == {"a", "b"}


def test_every_call_starts_afresh():
    reachable({}, "x")
    assert reachable({}, "y") == {"y"}
