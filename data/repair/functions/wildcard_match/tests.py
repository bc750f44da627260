from solution import wildcard_match


def test_letters_match_themselves():
    assert wildcard_match("abc", "abc") is True
    assert wildcard_match("abc", "abd") is False


def test_a_question_mark_is_one_character():
    assert wildcard_match("a?c", "axc") is True
    assert wildcard_match("a?", "a") is False


def test_a_star_is_any_number_of_characters():
    assert wildcard_match("*.py", "run.py") is True
    assert wildcard_match("a*", "a") is True


def test_the_whole_text_must_match():
    assert wildcard_match("a", "ab") is False
    assert wildcard_match("*b", "abc") is False
