from hypothesis import given, settings
from hypothesis import strategies as st
from solution import ranks

SCORES = st.lists(st.integers(0, 4), max_size=6)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SCORES)
def test_rank_is_the_place_in_the_falling_order(scores):
    order = sorted(scores, reverse=True)
    assert ranks(scores) == [order.index(score) + 1 for score in scores]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SCORES)
def test_low_first_ranks_equal_those_of_negated_scores(scores):
    assert ranks(scores, False) == ranks([-score for score in scores])


def test_no_scores():
    assert ranks([]) == []


def test_all_equal():
    assert ranks([4, 4, 4]) == [1, 1, 1]
