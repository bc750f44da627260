import textwrap

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import wrap_words

TEXTS = st.text("ab ", max_size=20)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS, st.integers(1, 7))
def test_lines_equal_those_of_textwrap(text, width):
    flat = " ".join(text.split())
    assert wrap_words(text, width) == textwrap.wrap(flat, width, break_long_words=False)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS, st.integers(1, 7))
def test_no_word_is_lost_or_moved(text, width):
    assert " ".join(wrap_words(text, width)).split() == text.split()


def test_first_word_longer_than_the_width():
    assert wrap_words("abcd e", 2) == ["abcd", "e"]


def test_a_line_of_exactly_the_width():
    assert wrap_words("ab c d", 4) == ["ab c", "d"]
    assert wrap_words("a  b c", 9) == ["a b c"]
