from hypothesis import given, settings
from hypothesis import strategies as st
from solution import shorten

SENTENCES = st.lists(st.text("ab", min_size=1, max_size=4), max_size=5).map(" ".join)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SENTENCES, st.integers(3, 14))
def test_the_result_is_the_longest_one_that_fits(text, limit):
    words = text.split()
    cuts = [" ".join(words[:n]) + "..." for n in range(len(words))]
    fitting = [cut for cut in cuts if len(cut) <= limit]
    assert shorten(text, limit) == (text if len(text) <= limit else fitting[-1])


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SENTENCES, st.integers(3, 14))
def test_the_limit_holds(text, limit):
    assert len(shorten(text, limit)) <= limit


def test_texts_at_the_limit():
    assert shorten("a bcd", 5) == "a bcd"
    assert shorten("a bcd", 4) == "a..."


def test_three_characters_hold_the_dots_alone():
    assert shorten("a bcd", 3) == "..."
    assert shorten("", 3) == ""
