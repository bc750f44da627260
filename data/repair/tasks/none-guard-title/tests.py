from solution import display_title


def test_the_first_letter_is_capitalised():
    assert display_title("red fox") == "Red fox"


def test_spaces_around_are_dropped():
    assert display_title("  owl ") == "Owl"


def test_a_missing_title_is_untitled():
    assert display_title(None) == "Untitled"


def test_an_empty_title_stays_empty():
    assert display_title("") == ""
