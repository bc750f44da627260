from solution import parse_pairs


def test_pairs_are_read_without_spaces():
    assert parse_pairs("a = 1; b=2") == {"a": "1", "b": "2"}


def test_a_part_without_equals_is_skipped():
    assert parse_pairs("a;b=2") == {"b": "2"}


def test_a_part_without_a_key_is_skipped():
    assert parse_pairs(" =5;b=") == {"b": ""}


def test_the_value_may_hold_an_equals_sign():
    assert parse_pairs("q=x=y") == {"q": "x=y"}
