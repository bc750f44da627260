import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import most_meetings

MEETINGS = st.lists(
    st.tuples(st.integers(0, 8), st.integers(1, 4)).map(lambda m: (m[0], m[0] + m[1])),
    max_size=5,
    unique=True,
)


def apart(meetings, pause):
    pairs = itertools.pairwise(sorted(meetings))
    return all(left[1] + pause <= right[0] for left, right in pairs)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(MEETINGS, st.integers(0, 2))
def test_no_larger_choice_exists(meetings, pause):
    chosen = most_meetings(meetings, pause)
    larger = itertools.combinations(meetings, len(chosen) + 1)
    assert not any(apart(others, pause) for others in larger)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(MEETINGS, st.integers(0, 2))
def test_chosen_meetings_stand_apart(meetings, pause):
    chosen = most_meetings(meetings, pause)
    assert set(chosen) <= set(meetings)
    assert len(chosen) == len(set(chosen))
    assert apart(chosen, pause)


def test_no_meetings():
    assert most_meetings([]) == []


def test_two_that_end_together():
    assert most_meetings([(3, 4), (0, 4)]) == [(0, 4)]
    assert most_meetings([(1, 2), (0, 1)]) == [(0, 1), (1, 2)]
