from solution import order_total


def test_a_small_order_costs_its_sum():
    assert order_total([1000, 2500]) == 3500


def test_a_large_order_is_cheaper():
    assert order_total([8000, 4000]) == 10800


def test_exactly_10000_has_no_discount():
    assert order_total([10000]) == 10000


def test_one_cent_more_has_one():
    assert order_total([10001]) == 9000
