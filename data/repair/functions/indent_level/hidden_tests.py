from hypothesis import given, settings
from hypothesis import strategies as st
from solution import indent_level


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.text(" \t", max_size=6), st.integers(1, 5))
def test_column_equals_that_of_expanded_tabs(indent, tab):
    column = len(indent.expandtabs(tab))
    assert indent_level(indent, tab) == column
    assert indent_level(indent + "x \t", tab) == column


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 9), st.text("ab \t", max_size=4))
def test_what_follows_the_text_changes_nothing(spaces, rest):
    assert indent_level(" " * spaces + "x" + rest) == spaces


def test_five_spaces_and_a_tab():
    assert indent_level("     \tz") == 8


def test_a_line_without_indent():
    assert indent_level("abc") == indent_level("") == 0
