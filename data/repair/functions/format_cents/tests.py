from solution import format_cents


def test_two_decimals():
    assert format_cents(1205) == "12.05"
    assert format_cents(0) == "0.00"


def test_thousands_are_grouped():
    assert format_cents(123456789) == "1,234,567.89"


def test_three_digits_have_no_comma():
    assert format_cents(99900) == "999.00"


def test_a_debt_has_a_sign():
    assert format_cents(-1) == "-0.01"
