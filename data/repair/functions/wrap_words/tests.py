from solution import wrap_words


def test_a_line_may_be_exactly_as_wide_as_allowed():
    assert wrap_words("aa bb cc", 5) == ["aa bb", "cc"]


def test_one_character_too_many_breaks_the_line():
    assert wrap_words("aa bb", 4) == ["aa", "bb"]


def test_a_long_word_stands_alone():
    assert wrap_words("a abcdef b", 3) == ["a", "abcdef", "b"]


def test_no_words_give_no_lines():
    assert wrap_words("  ", 5) == []
