from hypothesis import given, settings
from hypothesis import strategies as st
from solution import display_title

TITLES = st.none() | st.text("aB ", max_size=6)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TITLES)
def test_only_the_first_letter_changes(title):
    shown = display_title(title)
    assert shown.lower() == ("untitled" if title is None else title.strip().lower())
    assert shown[:1] == shown[:1].upper()


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TITLES)
def test_showing_twice_changes_nothing(title):
    shown = display_title(title)
    assert display_title(shown) == shown


def test_none():
    assert display_title(None) == "Untitled"


def test_later_capitals_stay():
    assert display_title("aBC") == "ABC"
