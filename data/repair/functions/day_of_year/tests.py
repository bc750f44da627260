from solution import day_of_year


def test_first_days_of_early_months():
    assert [day_of_year(month, 1) for month in range(1, 7)] == [1, 32, 60, 91, 121, 152]


def test_first_days_of_late_months():
    assert [day_of_year(month, 1) for month in range(7, 13)] == [182, 213, 244, 274, 305, 335]


def test_a_leap_day_counts():
    assert day_of_year(3, 1, True) == 61


def test_the_last_day():
    assert day_of_year(12, 31) == 365
