from solution import rank_scores


def test_the_best_comes_first():
    assert rank_scores([1, 3, 2]) == [3, 2, 1]


def test_the_worst_may_come_first():
    assert rank_scores([1, 3, 2], False) == [1, 2, 3]


def test_scores_below_zero_are_dropped():
    assert rank_scores([5, -1], True) == [5]


def test_no_scores():
    assert rank_scores([]) == []
