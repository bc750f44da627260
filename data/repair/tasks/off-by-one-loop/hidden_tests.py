from hypothesis import given, settings
from hypothesis import strategies as st
from solution import countdown


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(-3, 12))
def test_countdown_is_the_count_turned_round(start):
    assert countdown(start)[::-1] == [number for number in range(13) if 1 <= number <= start]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 12))
def test_there_are_as_many_numbers_as_the_start_says(start):
    numbers = countdown(start)
    assert len(numbers) == start
    assert numbers[-1] == 1


def test_two_numbers():
    assert countdown(2) == [2, 1]


def test_five_numbers_add_up():
    assert sum(countdown(5)) == 15
