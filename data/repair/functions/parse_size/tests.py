from solution import parse_size


def test_units_multiply():
    assert parse_size("3k") == 3072
    assert parse_size("2M") == 2097152


def test_bytes_need_no_unit():
    assert parse_size("17") == 17
    assert parse_size("17b") == 17


def test_an_unknown_unit_is_refused():
    assert parse_size("5x") is None


def test_a_unit_needs_a_number():
    assert parse_size("k") is None
    assert parse_size("") is None
