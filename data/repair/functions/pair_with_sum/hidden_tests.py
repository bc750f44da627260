import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import pair_with_sum

ITEMS = st.lists(st.integers(0, 9), max_size=6).map(sorted)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS, st.integers(0, 18))
def test_pair_equals_the_widest_of_all(items, target):
    pairs = itertools.combinations(range(len(items)), 2)
    fitting = [pair for pair in pairs if items[pair[0]] + items[pair[1]] == target]
    widest = max(fitting, key=lambda pair: pair[1] - pair[0], default=None)
    assert pair_with_sum(items, target) == widest


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS.filter(lambda items: len(items) > 1))
def test_the_ends_are_a_pair(items):
    assert pair_with_sum(items, items[0] + items[-1]) == (0, len(items) - 1)


def test_a_single_item():
    assert pair_with_sum([4], 8) is None


def test_negative_items():
    assert pair_with_sum([-5, -1, 2, 7], 1) == (1, 2)
