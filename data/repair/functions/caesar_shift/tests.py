from solution import caesar_shift


def test_letters_move_along():
    assert caesar_shift("abc", 2) == "cde"


def test_the_end_wraps_to_the_start():
    assert caesar_shift("xyz", 1) == "yza"


def test_other_characters_stay():
    assert caesar_shift("A-1 a", 1) == "A-1 b"


def test_a_negative_shift_goes_back():
    assert caesar_shift("az", -1) == "zy"
