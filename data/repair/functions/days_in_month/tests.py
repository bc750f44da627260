from solution import days_in_month


def test_february_of_common_years():
    assert days_in_month(2023, 2) == 28
    assert days_in_month(1900, 2) == 28


def test_february_of_leap_years():
    assert days_in_month(2024, 2) == 29
    assert days_in_month(2000, 2) == 29


def test_short_months():
    assert [days_in_month(2023, month) for month in (4, 6, 9, 11)] == [30] * 4


def test_long_months():
    assert [days_in_month(2023, month) for month in (1, 3, 5, 7, 8, 10, 12)] == [31] * 7
