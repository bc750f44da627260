from solution import mask_digits


def test_the_last_four_digits_stay():
    assert mask_digits("123456") == "**3456"


def test_marks_between_digits_stay():
    assert mask_digits("12-345-6") == "**-345-6"


def test_a_short_number_is_left_alone():
    assert mask_digits("1234") == "1234"


def test_the_number_of_digits_kept_can_be_set():
    assert mask_digits("987 a", 1) == "**7 a"
