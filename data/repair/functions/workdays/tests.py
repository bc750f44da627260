from solution import workdays


def test_a_week_has_five():
    assert workdays(0, 7) == 5


def test_a_weekend_has_none():
    assert workdays(5, 2) == 0


def test_friday_to_monday_has_two():
    assert workdays(4, 4) == 2


def test_holidays_are_left_out():
    assert workdays(0, 5, [0, 2]) == 3
