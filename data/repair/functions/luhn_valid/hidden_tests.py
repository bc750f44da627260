from hypothesis import given, settings
from hypothesis import strategies as st
from solution import luhn_valid

NUMBERS = st.text("0123456789", min_size=2, max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NUMBERS)
def test_the_digit_that_completes_a_number_equals_that_of_a_table(number):
    doubled = dict(zip("0123456789", (0, 2, 4, 6, 8, 1, 3, 5, 7, 9), strict=True))
    total = sum(doubled[digit] for digit in number[-1::-2]) + sum(map(int, number[-2::-2]))
    fitting = [digit for digit in range(10) if luhn_valid(f"{number}{digit}")]
    assert fitting == [-total % 10]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NUMBERS, st.integers(1, 9))
def test_zeros_in_front_change_nothing(number, zeros):
    assert luhn_valid("0" * zeros + number) is luhn_valid(number)


def test_short_or_strange_text_is_refused():
    assert luhn_valid("00") is True
    assert [luhn_valid(text) for text in ("", "0", "1a8", "x")] == [False] * 4


def test_swapped_neighbours_are_noticed():
    assert luhn_valid("79927398731") is False
