from solution import line_column


def test_the_first_character():
    assert line_column("abc", 0) == (1, 1)


def test_characters_move_along_the_line():
    assert line_column("abc", 2) == (1, 3)


def test_a_line_end_starts_the_next_line():
    assert line_column("ab\ncd", 3) == (2, 1)
    assert line_column("ab\ncd", 4) == (2, 2)


def test_the_line_end_itself_belongs_to_its_line():
    assert line_column("ab\ncd", 2) == (1, 3)
