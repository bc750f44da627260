from solution import to_base


def test_two_is_the_default():
    assert to_base(10) == "1010"


def test_letters_are_digits_above_nine():
    assert to_base(255, 16) == "ff"


def test_a_minus_sign_stands_first():
    assert to_base(-8, 8) == "-10"
    assert to_base(-1) == "-1"


def test_zero_and_one():
    assert to_base(0) == "0"
    assert to_base(1) == "1"
