from hypothesis import given, settings
from hypothesis import strategies as st
from solution import clock_minutes


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 27), st.integers(0, 65))
def test_valid_times_and_no_others_have_a_value(hours, minutes):
    valid = hours in range(24) and minutes in range(60)
    expected = minutes + hours * 60 if valid else None
    assert clock_minutes(f"{hours:02}:{minutes:02}") == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("12:a", max_size=4))
def test_text_without_two_numbers_is_refused(text):
    parts = text.split(":")
    if len(parts) != 2 or not all(part.isdigit() for part in parts):
        assert clock_minutes(text) is None


def test_borders_of_the_day():
    assert [clock_minutes(text) for text in ("00:00", "23:00", "00:59")] == [0, 1380, 59]
    assert [clock_minutes(text) for text in ("24:00", "23:60", "00:60")] == [None] * 3


def test_no_colon():
    assert clock_minutes("1030") is None
    assert clock_minutes("") is None
