from hypothesis import given, settings
from hypothesis import strategies as st
from solution import line_column

TEXTS = st.text("ab\n", max_size=8)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS, st.integers(0, 8))
def test_place_equals_that_of_the_split_text(text, offset):
    lines = text[:offset].split("\n")
    assert line_column(text, offset) == (len(lines), len(lines[-1]) + 1)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS.filter(bool))
def test_the_place_leads_back_to_the_character(text):
    for offset, char in enumerate(text):
        line, column = line_column(text, offset)
        assert text.splitlines(keepends=True)[line - 1][column - 1] == char


def test_two_line_ends():
    assert line_column("\n\n", 2) == (3, 1)


def test_an_offset_past_the_end():
    assert line_column("ab", 9) == (1, 3)
