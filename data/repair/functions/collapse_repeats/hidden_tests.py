import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import collapse_repeats

TEXTS = st.text("ab", max_size=10)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS, st.integers(1, 3))
def test_each_run_is_cut_to_the_limit(text, limit):
    runs = [(char, len(list(group))) for char, group in itertools.groupby(text)]
    assert collapse_repeats(text, limit) == "".join(c * min(n, limit) for c, n in runs)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS)
def test_no_three_in_a_row_are_left(text):
    kept = collapse_repeats(text)
    assert "aaa" not in kept
    assert "bbb" not in kept
    assert set(kept) == set(text)


def test_empty_text():
    assert collapse_repeats("") == ""


def test_a_run_as_long_as_the_limit_stays():
    assert collapse_repeats("aab") == "aab"
    assert collapse_repeats("aaab", 3) == "aaab"
