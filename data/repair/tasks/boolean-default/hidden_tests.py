from hypothesis import given, settings
from hypothesis import strategies as st
from solution import rank_scores

SCORES = st.lists(st.integers(-2, 6), max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SCORES)
def test_scores_fall_by_default(scores):
    expected = [score for score in range(6, -1, -1) for _ in range(scores.count(score))]
    assert rank_scores(scores) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SCORES)
def test_both_directions_mirror_each_other(scores):
    assert rank_scores(scores, False) == rank_scores(scores)[::-1]
    assert rank_scores(scores, True) == rank_scores(scores)


def test_zero_is_kept():
    assert rank_scores([0, -3]) == [0]


def test_two_scores():
    assert rank_scores([1, 2]) == [2, 1]
