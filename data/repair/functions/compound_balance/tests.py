from solution import compound_balance


def test_interest_for_a_year():
    assert compound_balance(1000, 5, 1) == 1050


def test_interest_earns_interest():
    assert compound_balance(1000, 10, 3) == 1331


def test_a_fee_is_taken_each_year():
    assert compound_balance(1000, 10, 2, 100) == 1000


def test_the_balance_never_falls_below_zero():
    assert compound_balance(10, 0, 3, 4) == 0
