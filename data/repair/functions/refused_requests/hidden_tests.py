from hypothesis import given, settings
from hypothesis import strategies as st
from solution import refused_requests

TIMES = st.lists(st.integers(0, 7), max_size=9).map(sorted)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TIMES, st.integers(1, 3))
def test_count_equals_that_of_ticking_seconds(times, capacity):
    tokens, refused = capacity, 0
    for second in range(8):
        asked = times.count(second)
        refused += max(asked - tokens, 0)
        tokens = min(max(tokens - asked, 0) + 1, capacity)
    assert refused_requests(times, capacity) == refused


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 6), st.integers(1, 4))
def test_requests_at_once_beyond_the_capacity_are_refused(count, capacity):
    assert refused_requests([3] * count, capacity) == max(count - capacity, 0)


def test_no_requests():
    assert refused_requests([], 1) == 0


def test_two_each_second_against_one_token():
    assert refused_requests([1, 1, 2, 2], 1) == 2
