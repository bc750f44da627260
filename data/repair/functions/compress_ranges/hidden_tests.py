from hypothesis import given, settings
from hypothesis import strategies as st
from solution import compress_ranges

NUMBERS = st.lists(st.integers(0, 9), max_size=8)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NUMBERS)
def test_reading_the_text_gives_the_numbers(numbers):
    read = []
    for part in filter(None, compress_ranges(numbers).split(",")):
        first, _, last = part.partition("-")
        read.extend(range(int(first), int(last or first) + 1))
    assert read == sorted(set(numbers))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NUMBERS)
def test_there_is_one_part_for_each_start(numbers):
    starts = [n for n in set(numbers) if n - 1 not in numbers]
    text = compress_ranges(numbers)
    assert len(text.split(",")) == max(len(starts), 1)
    assert text.count("-") == sum(n + 1 in numbers for n in starts)


def test_two_ranges():
    assert compress_ranges([1, 2, 4, 5, 6]) == "1-2,4-6"


def test_zero_is_a_number():
    assert compress_ranges([0, 2]) == "0,2"
