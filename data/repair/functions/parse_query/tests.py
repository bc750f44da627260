from solution import parse_query


def test_values_are_lists():
    assert parse_query("a=1&b=2") == {"a": ["1"], "b": ["2"]}


def test_a_key_may_come_twice():
    assert parse_query("a=1&a=2") == {"a": ["1", "2"]}


def test_plus_is_a_space():
    assert parse_query("q=red+fox") == {"q": ["red fox"]}


def test_empty_pairs_are_skipped():
    assert parse_query("&x&") == {"x": [""]}
