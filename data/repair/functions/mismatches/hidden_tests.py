import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import mismatches

TEXTS = st.text("ab", max_size=6)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS, TEXTS)
def test_positions_equal_those_of_padded_pairs(left, right):
    pairs = itertools.zip_longest(left, right)
    assert mismatches(left, right) == [n for n, (a, b) in enumerate(pairs) if a != b]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS, TEXTS)
def test_both_orders_give_the_same(left, right):
    assert mismatches(left, right) == mismatches(right, left)
    assert mismatches(left, left + right) == [len(left) + n for n in range(len(right))]


def test_two_empty_texts():
    assert mismatches("", "") == []


def test_nothing_against_one():
    assert mismatches("", "a") == [0]
