from solution import slugify


def test_words_are_joined_by_one_hyphen():
    assert slugify("Fix: the Bug!") == "fix-the-bug"


def test_marks_at_the_start_are_dropped():
    assert slugify("--Hi") == "hi"


def test_a_long_title_is_cut_at_twelve():
    assert slugify("abcdefghijklmnop") == "abcdefghijkl"


def test_a_cut_leaves_no_hyphen_at_the_end():
    assert slugify("ab cd ef", 6) == "ab-cd"
