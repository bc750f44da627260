from hypothesis import given, settings
from hypothesis import strategies as st
from solution import is_sorted

ITEMS = st.lists(st.integers(0, 3), max_size=4)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS)
def test_sorted_means_that_sorting_changes_nothing(items):
    assert is_sorted(items) is (items == sorted(items))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS)
def test_strict_means_sorted_without_repeats(items):
    assert is_sorted(items, True) is (items == sorted(set(items)))


def test_few_items_are_always_sorted():
    assert is_sorted([]) is True
    assert is_sorted([4], True) is True


def test_a_fall_at_the_start():
    assert is_sorted([2, 1, 3]) is False
