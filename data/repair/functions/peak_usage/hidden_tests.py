from hypothesis import given, settings
from hypothesis import strategies as st
from solution import peak_usage

SESSIONS = st.lists(
    st.tuples(st.integers(0, 8), st.integers(1, 4)).map(lambda s: (s[0], s[0] + s[1])), max_size=5
)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SESSIONS)
def test_peak_is_the_largest_count_over_time(sessions):
    counts = [sum(start <= now < end for start, end in sessions) for now in range(13)]
    assert peak_usage(sessions) == max(counts)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SESSIONS)
def test_one_more_session_over_all_adds_one(sessions):
    assert peak_usage([*sessions, (0, 20)]) == peak_usage(sessions) + 1


def test_the_peak_may_come_early():
    assert peak_usage([(0, 2), (1, 2), (5, 6)]) == 2


def test_equal_sessions():
    assert peak_usage([(2, 3)] * 4) == 4
