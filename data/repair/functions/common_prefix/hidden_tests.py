import os

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import common_prefix

WORDS = st.lists(st.text("ab", max_size=4), max_size=4)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(WORDS)
def test_prefix_equals_that_of_the_library(words):
    assert common_prefix(words) == os.path.commonprefix(words)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(WORDS, st.text("ab", min_size=1, max_size=3))
def test_a_start_added_to_all_is_part_of_the_prefix(words, start):
    longer = [start + word for word in words] or [start]
    assert common_prefix(longer) == start + common_prefix(words)


def test_a_single_word_is_its_own_prefix():
    assert common_prefix(["abc"]) == "abc"


def test_an_empty_word_leaves_nothing():
    assert common_prefix(["", "abc"]) == ""
