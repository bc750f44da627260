from hypothesis import given, settings
from hypothesis import strategies as st
from solution import add_score

BOARDS = st.lists(st.integers(0, 8), max_size=4).map(lambda b: sorted(b, reverse=True))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(BOARDS, st.integers(0, 8), st.integers(1, 4))
def test_board_equals_the_best_of_all(board, score, size):
    assert add_score(board, score, size) == sorted([*board, score], reverse=True)[:size]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.lists(st.integers(0, 9), max_size=7))
def test_adding_all_keeps_the_best_three(scores):
    board = []
    for score in scores:
        board = add_score(board, score)
    assert board == sorted(scores, reverse=True)[:3]


def test_a_new_best():
    assert add_score([3, 2, 1], 4) == [4, 3, 2]


def test_a_board_of_one():
    assert add_score([5], 6, 1) == [6]
    assert add_score([5], 5, 1) == [5]
