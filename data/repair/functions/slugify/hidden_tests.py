import re

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import slugify

TITLES = st.text("aB7 -!", max_size=16)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TITLES)
def test_slug_equals_the_pattern_form(title):
    whole = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    assert slugify(title) == whole[:12].rstrip("-")


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TITLES, st.integers(1, 6))
def test_slug_is_short_and_well_formed(title, size):
    slug = slugify(title, size)
    assert len(slug) <= size
    assert slug == "" or re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", slug)


def test_twelve_characters_by_default():
    assert slugify("?!abcdefghijklmno") == "abcdefghijkl"


def test_a_run_of_marks_is_one_hyphen():
    assert slugify("a -- b") == "a-b"
