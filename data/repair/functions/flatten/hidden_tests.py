import re

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import flatten

NESTED = st.lists(
    st.recursive(st.integers(0, 9), lambda s: st.lists(s, max_size=3), max_leaves=6), max_size=4
)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NESTED)
def test_numbers_equal_those_in_the_printed_list(items):
    assert flatten(items) == [int(digits) for digits in re.findall(r"\d+", repr(items))]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NESTED, st.lists(st.integers(0, 9), max_size=3))
def test_a_flat_list_stays(items, start):
    flat = flatten(items)
    assert flatten(flat) == flat
    assert flatten(items, list(start)) == start + flat


def test_no_items():
    assert flatten([]) == []


def test_deep_nesting():
    assert flatten([[[[1]]], 2]) == [1, 2]
