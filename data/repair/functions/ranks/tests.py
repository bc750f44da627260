from solution import ranks


def test_the_highest_score_is_first():
    assert ranks([10, 30, 20]) == [3, 1, 2]


def test_equal_scores_share_a_rank():
    assert ranks([5, 9, 9, 1]) == [3, 1, 1, 4]


def test_the_lowest_may_be_first():
    assert ranks([10, 30, 20], False) == [1, 3, 2]


def test_equal_scores_share_a_rank_from_below():
    assert ranks([2, 2, 3], False) == [1, 1, 3]
