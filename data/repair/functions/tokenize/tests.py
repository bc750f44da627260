from solution import tokenize


def test_numbers_and_signs_are_told_apart():
    assert tokenize("12+3") == ["12", "+", "3"]


def test_a_space_ends_a_number():
    assert tokenize("1 2") == ["1", "2"]


def test_every_sign_is_a_token():
    assert tokenize("((*-") == ["(", "(", "*", "-"]


def test_other_characters_are_dropped():
    assert tokenize("a1b") == ["1"]
