from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import most_common

VALUES = st.lists(st.integers(0, 3), max_size=8)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES, st.integers(1, 3))
def test_value_equals_the_first_of_a_ranking(values, least):
    ranking = sorted((-count, value) for value, count in Counter(values).items())
    expected = ranking[0][1] if ranking and -ranking[0][0] >= least else None
    assert most_common(values, least) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES, st.integers(0, 3))
def test_a_value_added_often_wins(values, value):
    assert most_common(values + [value] * 9) == value


def test_one_value():
    assert most_common([7]) == 7


def test_negative_values():
    assert most_common([-1, -1, 0]) == -1
