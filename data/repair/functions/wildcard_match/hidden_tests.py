from fnmatch import fnmatchcase

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import wildcard_match

TEXTS = st.text("ab", max_size=5)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text("ab?*", max_size=5), TEXTS)
def test_answer_equals_that_of_the_library(pattern, text):
    assert wildcard_match(pattern, text) is fnmatchcase(text, pattern)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS, TEXTS, TEXTS)
def test_a_star_stands_for_anything_between(start, middle, end):
    assert wildcard_match(f"{start}*{end}", start + middle + end) is True
    assert wildcard_match("?" * len(middle), middle) is True
    assert wildcard_match("?" * len(middle), middle + "a") is False


def test_empty_pattern_and_text():
    assert wildcard_match("", "") is True
    assert wildcard_match("*", "") is True


def test_two_stars():
    assert wildcard_match("*a*b", "xaxb") is True
    assert wildcard_match("*a*b", "xbxa") is False
