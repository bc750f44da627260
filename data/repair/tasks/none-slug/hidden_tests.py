import re

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import normalise_slug

TEXTS = st.none() | st.text("aB ", max_size=8)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS)
def test_slug_equals_the_pattern_form(text):
    assert normalise_slug(text) == re.sub(" +", "-", (text or "").strip(" ")).lower()


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS)
def test_a_slug_is_its_own_slug(text):
    slug = normalise_slug(text)
    assert normalise_slug(slug) == slug


def test_none():
    assert normalise_slug(None) == ""


def test_tabs_and_lines_split_words():
    assert normalise_slug("A\tb\nC") == "a-b-c"
