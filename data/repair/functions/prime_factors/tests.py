from solution import prime_factors


def test_a_prime_is_its_own_factor():
    assert prime_factors(13) == [13]
    assert prime_factors(2) == [2]


def test_factors_rise():
    assert prime_factors(60) == [2, 2, 3, 5]


def test_a_square():
    assert prime_factors(49) == [7, 7]


def test_one_has_no_factors():
    assert prime_factors(1) == []
