from solution import name_length


def test_characters_are_counted():
    assert name_length("Ada") == 3


def test_spaces_around_do_not_count():
    assert name_length(" Bo ") == 2


def test_a_missing_name_has_none():
    assert name_length(None) == 0


def test_an_empty_name_has_none():
    assert name_length("") == 0
