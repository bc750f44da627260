from hypothesis import given, settings
from hypothesis import strategies as st
from solution import wait_times

ARRIVALS = st.lists(st.integers(0, 12), max_size=6).map(sorted)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ARRIVALS, st.integers(0, 4), st.integers(0, 4))
def test_waits_equal_the_largest_backlog(arrivals, service, opens):
    expected = []
    for place, arrival in enumerate(arrivals):
        starts = [arrivals[j] + (place - j) * service for j in range(place + 1)]
        expected.append(max(*starts, opens + place * service) - arrival)
    assert wait_times(arrivals, service, opens) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 6), st.integers(0, 5))
def test_a_crowd_waits_in_steps(count, service):
    assert wait_times([0] * count, service) == [n * service for n in range(count)]


def test_nobody_comes():
    assert wait_times([], 3) == []


def test_service_that_takes_no_time():
    assert wait_times([1, 1, 1], 0) == [0, 0, 0]
