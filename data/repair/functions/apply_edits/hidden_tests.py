from hypothesis import given, settings
from hypothesis import strategies as st
from solution import apply_edits

TEXTS = st.text("abc", min_size=3, max_size=9)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS, st.sets(st.integers(0, 8)), st.sampled_from(["", "x", "yz"]))
def test_single_characters_are_replaced_in_place(text, places, new):
    edits = [(place, place + 1, new) for place in places if place < len(text)]
    expected = "".join(new if place in places else char for place, char in enumerate(text))
    assert apply_edits(text, edits) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS, st.integers(0, 3), st.integers(0, 3))
def test_what_lies_outside_stays(text, start, length):
    edited = apply_edits(text, [(start, start + length, "!")])
    assert edited.partition("!") == (text[:start], "!", text[start + length :])


def test_no_edits():
    assert apply_edits("abc", []) == "abc"


def test_three_edits_of_which_one_is_skipped():
    assert apply_edits("abcdef", [(4, 6, ""), (0, 3, "-"), (2, 4, "+")]) == "-d"
