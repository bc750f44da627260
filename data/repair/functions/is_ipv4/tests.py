from solution import is_ipv4


def test_four_numbers_are_an_address():
    assert is_ipv4("10.0.200.1") is True


def test_255_is_the_largest_number():
    assert is_ipv4("255.255.255.255") is True
    assert is_ipv4("1.2.3.256") is False


def test_a_leading_zero_is_refused():
    assert is_ipv4("1.2.03.4") is False


def test_other_text_is_refused():
    assert is_ipv4("1.2.3") is False
    assert is_ipv4("1.2.x.4") is False
