from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import merge_sorted

SORTED = st.lists(st.integers(0, 6), max_size=6).map(sorted)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SORTED, SORTED)
def test_result_equals_sorting_both(left, right):
    assert merge_sorted(left, right) == sorted(left + right)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SORTED, SORTED)
def test_no_item_is_lost_or_made_up(left, right):
    assert Counter(merge_sorted(left, right)) == Counter(left) + Counter(right)


def test_equal_items_are_all_kept():
    assert merge_sorted([1, 1], [1]) == [1, 1, 1]


def test_two_empty_lists():
    assert merge_sorted([], []) == []
