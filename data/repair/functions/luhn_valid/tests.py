from solution import luhn_valid


def test_a_valid_number():
    assert luhn_valid("79927398713") is True


def test_a_wrong_check_digit():
    assert luhn_valid("79927398710") is False


def test_two_digits_are_enough():
    assert luhn_valid("18") is True
    assert luhn_valid("59") is True
    assert luhn_valid("42") is True


def test_other_text_is_refused():
    assert luhn_valid("0") is False
    assert luhn_valid("1a8") is False
