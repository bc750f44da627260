from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import diff_lists

ITEMS = st.lists(st.integers(0, 4), max_size=6)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS, ITEMS)
def test_differences_equal_those_of_counters(old, new):
    added, removed = diff_lists(old, new)
    assert Counter(added) == Counter(new) - Counter(old)
    assert Counter(removed) == Counter(old) - Counter(new)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.lists(st.integers(0, 9), unique=True), st.lists(st.integers(0, 9), unique=True))
def test_without_repeats_the_order_stays(old, new):
    added = [item for item in new if item not in old]
    removed = [item for item in old if item not in new]
    assert diff_lists(old, new) == (added, removed)


def test_two_empty_lists():
    assert diff_lists([], []) == ([], [])


def test_everything_changes():
    assert diff_lists([1, 1], [2]) == ([2], [1, 1])
