from solution import shorten


def test_a_text_that_fits_is_left_alone():
    assert shorten("red fox", 7) == "red fox"


def test_the_dots_count_towards_the_limit():
    assert shorten("one two three", 10) == "one two..."
    assert shorten("one two three", 9) == "one..."


def test_one_character_too_many_is_cut():
    assert shorten("red fox", 6) == "red..."


def test_a_long_first_word_leaves_the_dots():
    assert shorten("elephant", 5) == "..."
