from solution import from_roman


def test_signs_add_up():
    assert from_roman("CLXVI") == 166


def test_a_smaller_sign_before_is_taken_away():
    assert from_roman("XIV") == 14
    assert from_roman("XC") == 90


def test_equal_signs_are_added():
    assert from_roman("XXX") == 30


def test_no_signs_are_nothing():
    assert from_roman("") == 0
    assert from_roman("I") == 1
