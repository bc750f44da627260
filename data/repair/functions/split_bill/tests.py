from solution import split_bill


def test_an_even_bill():
    assert split_bill(900, 3) == [300, 300, 300]


def test_the_first_pays_the_odd_cent():
    assert split_bill(100, 3) == [34, 33, 33]


def test_one_person_pays_all():
    assert split_bill(7, 1) == [7]


def test_nobody_pays_nothing():
    assert split_bill(100, 0) == []
