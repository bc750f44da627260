from hypothesis import given, settings
from hypothesis import strategies as st
from solution import should_retry

STATUSES = st.sampled_from([200, 404, 428, 429, 430, 499, 500, 501, 502, 599, 600])


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(STATUSES, st.integers(0, 5), st.integers(1, 5))
def test_answer_equals_the_list_of_statuses(status, attempt, limit):
    retried = {429, *range(500, 600)} - {501}
    assert should_retry(status, attempt, limit) is (status in retried and attempt < limit)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(STATUSES)
def test_by_default_the_third_attempt_is_the_last(status):
    assert should_retry(status, 3) is False
    assert should_retry(status, 2) is should_retry(status, 0)


def test_borders_of_server_errors():
    assert [should_retry(status, 0) for status in (499, 501, 600)] == [False] * 3
    assert [should_retry(status, 0) for status in (500, 502, 599)] == [True] * 3


def test_no_attempt_left():
    assert should_retry(429, 1, 1) is False
