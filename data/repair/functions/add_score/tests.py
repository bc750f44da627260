from solution import add_score


def test_a_score_finds_its_place():
    assert add_score([9, 5], 7) == [9, 7, 5]


def test_the_lowest_score_drops_out():
    assert add_score([9, 5, 2], 6) == [9, 6, 5]


def test_a_low_score_stays_out():
    assert add_score([9, 5, 2], 1) == [9, 5, 2]


def test_a_low_score_fills_a_free_place():
    assert add_score([9], 1) == [9, 1]
    assert add_score([], 4) == [4]
