from solution import format_duration


def test_seconds_alone():
    assert format_duration(59) == "59s"


def test_minutes_and_seconds():
    assert format_duration(309) == "5m 09s"


def test_hours_and_minutes():
    assert format_duration(7530) == "2h 05m"


def test_exact_borders():
    assert format_duration(60) == "1m 00s"
    assert format_duration(3600) == "1h 00m"
