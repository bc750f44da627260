from solution import give_change


def test_one_of_each_coin():
    assert give_change(41) == [25, 10, 5, 1]


def test_the_same_coin_twice():
    assert give_change(70) == [25, 25, 10, 10]


def test_an_amount_below_a_coin():
    assert give_change(4) == [1, 1, 1, 1]


def test_other_coins():
    assert give_change(9, (6, 2)) == [6, 2]
