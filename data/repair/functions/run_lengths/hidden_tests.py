import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import run_lengths

TEXTS = st.text("ab", max_size=9)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS)
def test_runs_equal_the_groups_of_itertools(text):
    assert run_lengths(text) == [(c, len(list(g))) for c, g in itertools.groupby(text)]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS)
def test_runs_spell_the_text(text):
    assert "".join(char * count for char, count in run_lengths(text)) == text


def test_a_single_character():
    assert run_lengths("z") == [("z", 1)]


def test_a_long_last_run():
    assert run_lengths("abbbb") == [("a", 1), ("b", 4)]
