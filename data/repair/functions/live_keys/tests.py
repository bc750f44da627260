from solution import live_keys


def test_young_keys_are_live():
    assert live_keys({"b": 90, "a": 100}, 100) == ["a", "b"]


def test_a_key_dies_at_its_ttl():
    assert live_keys({"a": 40, "b": 41}, 100) == ["b"]


def test_a_pinned_key_stays():
    assert live_keys({"a": 0, "b": 0}, 500, 10, ("b",)) == ["b"]


def test_a_key_from_the_future_is_not_live():
    assert live_keys({"a": 101}, 100) == []
