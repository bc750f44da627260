from solution import parse_int


def test_digits_make_a_number():
    assert parse_int("1209") == 1209


def test_a_sign_may_come_first():
    assert parse_int("-45") == -45
    assert parse_int("+7") == 7


def test_a_sign_alone_is_no_number():
    assert parse_int("-") is None
    assert parse_int("") is None


def test_other_characters_are_refused():
    assert parse_int("1a") is None
    assert parse_int("1 2") is None
