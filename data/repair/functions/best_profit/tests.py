from solution import best_profit


def test_buy_low_and_sell_high():
    assert best_profit([7, 2, 5, 1, 4]) == 3


def test_falling_prices_bring_nothing():
    assert best_profit([9, 6, 2]) == 0


def test_the_sale_comes_after_the_purchase():
    assert best_profit([9, 1, 2]) == 1


def test_a_fee_is_taken_off():
    assert best_profit([1, 5], 1) == 3
    assert best_profit([], 1) == 0
