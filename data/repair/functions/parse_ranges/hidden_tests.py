from hypothesis import given, settings
from hypothesis import strategies as st
from solution import parse_ranges

PARTS = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), max_size=4)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PARTS)
def test_each_part_covers_its_numbers(parts):
    text = ",".join(f"{start}-{start + length}" for start, length in parts)
    expected = [start + step for start, length in parts for step in range(length + 1)]
    assert parse_ranges(text) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.lists(st.integers(0, 99), max_size=5))
def test_numbers_without_ranges_come_back(numbers):
    assert parse_ranges(",".join(map(str, numbers))) == numbers


def test_a_range_that_runs_backwards_is_empty():
    assert parse_ranges("5-3") == []


def test_empty_text():
    assert parse_ranges("") == []
