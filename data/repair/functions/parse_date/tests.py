from solution import parse_date


def test_three_numbers_are_read():
    assert parse_date("2024-02-29") == (2024, 2, 29)


def test_first_and_last_days_are_dates():
    assert parse_date("1999-01-01") == (1999, 1, 1)
    assert parse_date("1999-12-31") == (1999, 12, 31)


def test_months_out_of_range_are_refused():
    assert parse_date("2024-00-10") is None
    assert parse_date("2024-13-10") is None


def test_days_out_of_range_and_words_are_refused():
    assert parse_date("2024-05-00") is None
    assert parse_date("2024-05-32") is None
    assert parse_date("2024-may-01") is None
