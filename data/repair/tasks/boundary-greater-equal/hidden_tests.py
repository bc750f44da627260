from hypothesis import given, settings
from hypothesis import strategies as st
from solution import passes


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 90), st.integers(0, 5))
def test_passing_means_no_point_is_missing(points, bonus):
    missing = max(60 - points - bonus, 0)
    assert passes(points, bonus) is (missing == 0)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 100))
def test_every_mark_can_be_reached_exactly(mark):
    assert passes(mark, 0, mark) is True
    assert passes(mark - 1, 0, mark) is False


def test_negative_points_never_pass():
    assert passes(-1, 99) is False


def test_a_mark_of_zero():
    assert passes(0, 0, 0) is True
