from hypothesis import given, settings
from hypothesis import strategies as st
from solution import lower_bound

ITEMS = st.lists(st.integers(0, 6), max_size=8).map(sorted)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS, st.integers(-1, 7))
def test_place_is_the_number_of_smaller_items(items, target):
    assert lower_bound(items, target) == sum(item < target for item in items)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS, st.integers(0, 6))
def test_inserting_there_keeps_the_order(items, target):
    place = lower_bound(items, target)
    assert [*items[:place], target, *items[place:]] == sorted([*items, target])


def test_between_two_items():
    assert lower_bound([1, 3], 2) == 1


def test_all_items_equal():
    assert lower_bound([4, 4, 4], 4) == 0
    assert lower_bound([4, 4, 4], 5) == 3
