from hypothesis import given, settings
from hypothesis import strategies as st
from solution import group_by_initial

WORDS = st.lists(st.text("aAbB", max_size=3), max_size=6)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(WORDS)
def test_groups_equal_those_of_selecting_by_letter(words):
    selected = {c: [word for word in words if word.lower().startswith(c)] for c in "ab"}
    assert group_by_initial(words) == {c: group for c, group in selected.items() if group}


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(WORDS, WORDS)
def test_grouping_in_two_steps_is_grouping_once(first, second):
    together = group_by_initial(first + second)
    assert group_by_initial(second, group_by_initial(first)) == together


def test_no_words():
    assert group_by_initial([]) == {}


def test_the_word_itself_keeps_its_case():
    assert group_by_initial(["Zoo"]) == {"z": ["Zoo"]}
