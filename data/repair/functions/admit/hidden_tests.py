from hypothesis import given, settings
from hypothesis import strategies as st
from solution import admit

TIMES = st.lists(st.integers(0, 8), max_size=8).map(sorted)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TIMES, st.integers(1, 3), st.integers(1, 4))
def test_no_window_holds_more_than_the_limit(times, limit, window):
    answers = admit(times, limit, window)
    passed = [time for time, ok in zip(times, answers, strict=True) if ok]
    assert all(sum(t <= x < t + window for x in passed) <= limit for t in range(9))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TIMES, st.integers(1, 3), st.integers(1, 4))
def test_a_refusal_means_that_the_limit_was_reached(times, limit, window):
    answers = admit(times, limit, window)
    for place, now in enumerate(times):
        if not answers[place]:
            before = zip(times[:place], answers[:place], strict=True)
            assert sum(ok for time, ok in before if time > now - window) == limit


def test_a_limit_of_zero_refuses_all():
    assert admit([1, 9], 0, 2) == [False, False]


def test_distant_requests_are_all_admitted():
    assert admit([0, 10, 20], 1, 10) == [True, True, True]
