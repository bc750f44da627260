from solution import fewest_coins


def test_one_coin_is_enough():
    assert fewest_coins(5, [1, 5]) == 1


def test_fewer_coins_than_the_greedy_way():
    assert fewest_coins(6, [1, 3, 4]) == 2


def test_an_amount_out_of_reach():
    assert fewest_coins(3, [2]) is None


def test_units_alone():
    assert fewest_coins(4, [1]) == 4
