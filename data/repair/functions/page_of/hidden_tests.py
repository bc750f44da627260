from hypothesis import given, settings
from hypothesis import strategies as st
from solution import page_of

ITEMS = st.lists(st.integers(0, 9), max_size=9)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS, st.integers(1, 4))
def test_pages_in_a_row_are_the_items(items, size):
    pages = [page_of(items, page, size) for page in range(1, 11)]
    assert sum(pages, []) == items
    assert all(len(page) == size for page in pages[: len(items) // size])


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS, st.integers(-2, 5), st.integers(-2, 4))
def test_page_equals_picking_by_position(items, page, size):
    picked = [item for place, item in enumerate(items, size) if size > 0 and place // size == page]
    assert page_of(items, page, size) == picked


def test_first_second_and_third_page():
    assert page_of([1, 2, 3, 4, 5]) == [1, 2, 3]
    assert page_of([1, 2, 3, 4, 5], 2) == [4, 5]
    assert page_of([1, 2, 3, 4, 5], 3) == []


def test_negative_page():
    assert page_of([1, 2, 3, 4], -1, 2) == []
