from datetime import timedelta

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import format_duration


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 200) | st.integers(3500, 20000))
def test_text_equals_the_clock_of_timedelta(seconds):
    h, m, s = str(timedelta(seconds=seconds)).split(":")
    short = f"{int(m)}m {s}s" if m != "00" else f"{int(s)}s"
    assert format_duration(seconds) == (f"{h}h {m}m" if h != "0" else short)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 30), st.integers(0, 59), st.integers(0, 59))
def test_hours_hide_the_seconds(hours, minutes, seconds):
    total = hours * 3600 + minutes * 60 + seconds
    assert format_duration(total) == f"{hours}h {minutes:02}m"


def test_nothing():
    assert format_duration(0) == "0s"


def test_one_second_before_the_border():
    assert format_duration(3599) == "59m 59s"
