from hypothesis import given, settings
from hypothesis import strategies as st
from solution import checksum

DATA = st.lists(st.integers(0, 255), max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(DATA, st.integers(0, 9))
def test_sums_equal_the_closed_form(data, seed):
    low = seed + sum(data)
    weighted = sum(byte * (len(data) - place) for place, byte in enumerate(data))
    high = seed * len(data) + weighted
    assert checksum(data, seed) == (high % 251 * 256 + low % 251)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(DATA)
def test_the_seed_is_one(data):
    assert checksum(data) == checksum(data, 1)
    assert checksum([1, *data], 0) % 256 == checksum(data) % 256


def test_zeros_count():
    assert checksum([0, 0]) == 2 * 256 + 1


def test_a_seed_alone():
    assert checksum([], 7) == 7
