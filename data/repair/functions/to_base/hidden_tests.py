from hypothesis import given, settings
from hypothesis import strategies as st
from solution import to_base

NUMBERS = st.integers(-300, 300)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NUMBERS, st.integers(2, 16))
def test_reading_the_text_gives_the_number(number, base):
    assert int(to_base(number, base), base) == number


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NUMBERS)
def test_text_equals_that_of_the_format_language(number):
    shown = [to_base(number), to_base(number, 8), to_base(number, 10), to_base(number, 16)]
    assert shown == [f"{number:b}", f"{number:o}", f"{number:d}", f"{number:x}"]


def test_the_largest_digit():
    assert to_base(15, 16) == "f"


def test_the_base_itself():
    assert to_base(7, 7) == "10"
