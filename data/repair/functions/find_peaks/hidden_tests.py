from hypothesis import given, settings
from hypothesis import strategies as st
from solution import find_peaks

VALUES = st.lists(st.integers(-2, 3), max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES)
def test_peaks_equal_those_of_triples(values):
    triples = zip(values, values[1:], values[2:], strict=False)
    expected = [n + 1 for n, (a, b, c) in enumerate(triples) if max(a, c, -1) < b]
    assert find_peaks(values) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES, st.integers(-2, 3))
def test_a_floor_selects_among_all_peaks(values, floor):
    peaks = find_peaks(values, -9)
    assert find_peaks(values, floor) == [peak for peak in peaks if values[peak] >= floor]


def test_short_lists_have_no_peaks():
    assert find_peaks([1, 2]) == []
    assert find_peaks([]) == []


def test_peaks_at_and_below_zero():
    assert find_peaks([-1, 0, -1, 1, 0]) == [1, 3]
    assert find_peaks([-4, -1, -4]) == []
