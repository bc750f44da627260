from hypothesis import given, settings
from hypothesis import strategies as st
from solution import find_index

ITEMS = st.sets(st.integers(0, 12), max_size=8).map(sorted)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS, st.integers(-1, 13))
def test_position_equals_that_of_the_list(items, target):
    assert find_index(items, target) == (items.index(target) if target in items else -1)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS)
def test_every_item_is_found(items):
    assert [find_index(items, item) for item in items] == list(range(len(items)))


def test_no_items():
    assert find_index([], 1) == -1


def test_the_first_of_two():
    assert find_index([3, 8], 3) == 0
    assert find_index([3, 8], 8) == 1
