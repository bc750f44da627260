from solution import normalise_slug


def test_words_are_joined():
    assert normalise_slug("Red Fox") == "red-fox"


def test_many_spaces_are_one_hyphen():
    assert normalise_slug(" a   b ") == "a-b"


def test_a_missing_text_is_empty():
    assert normalise_slug(None) == ""


def test_an_empty_text_is_empty():
    assert normalise_slug("") == ""
