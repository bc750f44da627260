from hypothesis import given, settings
from hypothesis import strategies as st
from solution import page_window

PLACES = st.integers(1, 9).flatmap(lambda last: st.tuples(st.integers(1, last), st.just(last)))
WIDTHS = st.sampled_from([1, 3, 5])


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PLACES, WIDTHS)
def test_window_is_the_nearest_pages(place, width):
    current, last = place
    pages = page_window(current, last, width)
    assert pages == list(range(pages[0], pages[0] + min(width, last)))
    assert current in pages
    assert pages[0] >= 1
    assert pages[-1] <= last


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(PLACES, WIDTHS)
def test_current_is_in_the_middle_where_both_sides_have_room(place, width):
    current, last = place
    half = (width - 1) // 2
    pages = page_window(current, last, width)
    if half < current <= last - half:
        assert pages[half] == current
    else:
        assert pages[0] == 1 or pages[-1] == last


def test_a_single_page():
    assert page_window(1, 1) == [1]


def test_the_middle_and_near_the_ends():
    assert page_window(5, 9) == [3, 4, 5, 6, 7]
    assert page_window(2, 9) == [1, 2, 3, 4, 5]
    assert page_window(8, 9) == [5, 6, 7, 8, 9]
