import string

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import caesar_shift

TEXTS = st.text("abmyz A`{", max_size=8)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS, st.integers(-30, 30))
def test_shift_equals_a_turned_alphabet(text, shift):
    letters = string.ascii_lowercase
    turned = letters[shift % 26 :] + letters[: shift % 26]
    assert caesar_shift(text, shift) == text.translate(str.maketrans(letters, turned))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS, st.integers(-30, 30))
def test_shifting_back_restores_the_text(text, shift):
    assert caesar_shift(caesar_shift(text, shift), -shift) == text


def test_a_whole_turn_changes_nothing():
    assert caesar_shift("maze", 26) == "maze"


def test_empty_text():
    assert caesar_shift("", 3) == ""
