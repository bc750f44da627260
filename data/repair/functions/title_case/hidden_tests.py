from hypothesis import given, settings
from hypothesis import strategies as st
from solution import title_case

WORDS = st.lists(st.sampled_from(["a", "of", "the", "fox", "RED", "often", "x"]), max_size=5)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(WORDS)
def test_each_word_follows_its_rule(words):
    result = title_case(" ".join(words)).split()
    assert len(result) == len(words)
    for place, (word, shown) in enumerate(zip(words, result, strict=True)):
        small = place > 0 and word in {"a", "of", "the"}
        assert shown == (word if small else word.capitalize())


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(WORDS)
def test_letters_and_order_stay(words):
    assert title_case("  ".join(words)).lower() == " ".join(words).lower()


def test_empty_text():
    assert title_case("") == ""


def test_one_letter_words():
    assert title_case("x a y") == "X a Y"
