from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import word_counts

WORDS = st.lists(st.sampled_from(["ab", "cat", "Cat", "owls", "x", "dog"]), max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(WORDS)
def test_counts_equal_those_of_a_counter(words):
    expected = Counter(word.lower() for word in words if len(word) > 2)
    assert word_counts(" ".join(words)) == dict(expected)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(WORDS, WORDS)
def test_counting_in_two_steps_is_counting_once(first, second):
    together = word_counts(" ".join(first + second))
    assert word_counts(" ".join(second), word_counts(" ".join(first))) == together


def test_no_text_counts_nothing():
    assert word_counts("") == {}


def test_an_empty_start_is_a_start():
    assert word_counts("the", {}) == {"the": 1}
