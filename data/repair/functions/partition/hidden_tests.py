from hypothesis import given, settings
from hypothesis import strategies as st
from solution import partition

ITEMS = st.lists(st.integers(0, 5), max_size=8)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS, st.integers(0, 5))
def test_result_equals_a_stable_sort_by_side(items, pivot):
    assert partition(items, pivot) == sorted(items, key=lambda x: (x > pivot) - (x < pivot))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS, st.integers(-1, 6))
def test_items_are_only_moved(items, pivot):
    assert sorted(partition(items, pivot)) == sorted(items)


def test_no_items():
    assert partition([], 1) == []


def test_a_pivot_that_is_not_there():
    assert partition([6, 2, 6, 1], 4) == [2, 1, 6, 6]
