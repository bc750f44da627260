from solution import split_fields


def test_commas_split_fields():
    assert split_fields("a,b,c") == ["a", "b", "c"]


def test_a_comma_in_quotes_is_text():
    assert split_fields('"a,b",c') == ["a,b", "c"]


def test_empty_fields_are_kept():
    assert split_fields(",x,") == ["", "x", ""]


def test_quotes_may_open_and_close_twice():
    assert split_fields('"a","b"') == ["a", "b"]
