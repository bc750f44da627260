from solution import bulk_price


def test_few_units_have_no_discount():
    assert bulk_price(100, 9) == 900


def test_ten_units_are_five_percent_cheaper():
    assert bulk_price(100, 10) == 950


def test_fifty_units_are_twenty_percent_cheaper():
    assert bulk_price(10, 49) == 466
    assert bulk_price(10, 50) == 400


def test_no_units_cost_nothing():
    assert bulk_price(100, -1) == 0
    assert bulk_price(100, 1) == 100
