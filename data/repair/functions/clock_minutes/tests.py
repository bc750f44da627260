from solution import clock_minutes


def test_hours_and_minutes_add_up():
    assert clock_minutes("02:05") == 125


def test_the_last_minute_of_the_day():
    assert clock_minutes("23:59") == 1439


def test_times_out_of_range_are_refused():
    assert clock_minutes("24:00") is None
    assert clock_minutes("10:60") is None


def test_other_text_is_refused():
    assert clock_minutes("x:10") is None
    assert clock_minutes("10:") is None
