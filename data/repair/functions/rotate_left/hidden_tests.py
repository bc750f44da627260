from collections import deque

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import rotate_left

ITEMS = st.lists(st.integers(0, 9), max_size=5)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS, st.integers(-7, 7))
def test_result_equals_a_rotated_deque(items, steps):
    turned = deque(items)
    turned.rotate(-steps)
    assert rotate_left(items, steps) == list(turned)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS, st.integers(0, 4), st.integers(0, 4))
def test_two_turns_add_up(items, first, second):
    assert rotate_left(rotate_left(items, first), second) == rotate_left(items, first + second)


def test_no_steps():
    assert rotate_left([4, 5], 0) == [4, 5]


def test_a_whole_turn():
    assert rotate_left([4, 5, 6], 3) == [4, 5, 6]
