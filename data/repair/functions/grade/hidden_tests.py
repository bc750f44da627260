from hypothesis import given, settings
from hypothesis import strategies as st
from solution import grade


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 60), st.integers(1, 50), st.integers(0, 5))
def test_grade_equals_comparing_fractions(points, total, bonus):
    reached = (points + bonus) / total
    steps = [("A", 0.9), ("B", 0.75), ("C", 0.5), ("F", 0.0)]
    assert grade(points, total, bonus) == next(name for name, least in steps if reached >= least)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.sampled_from([49, 50, 51, 74, 75, 76, 89, 90, 91]), st.integers(1, 4))
def test_borders_hold_for_every_total(percent, scale):
    expected = "FCBA"[sum(percent > below for below in (49, 74, 89))]
    assert grade(percent * scale, 100 * scale) == expected


def test_totals_that_are_none():
    assert grade(5, 0) == "F"
    assert grade(-5, -1) == "F"


def test_percents_are_rounded_down():
    assert grade(449, 500) == "B"
    assert [grade(1, 1), grade(0, 1)] == ["A", "F"]
