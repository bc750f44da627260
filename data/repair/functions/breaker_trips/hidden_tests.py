import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import breaker_trips

OUTCOMES = st.lists(st.sampled_from([False, False, True]), max_size=12)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(OUTCOMES, st.integers(1, 4))
def test_each_run_of_failures_trips_by_its_length(outcomes, threshold):
    runs = [len(list(group)) for ok, group in itertools.groupby(outcomes) if not ok]
    assert breaker_trips(outcomes, threshold) == sum(run // threshold for run in runs)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 14))
def test_failures_alone_trip_every_third_time(count):
    assert breaker_trips([False] * count) == count // 3


def test_no_outcomes():
    assert breaker_trips([]) == 0


def test_successes_alone():
    assert breaker_trips([True] * 4, 1) == 0
