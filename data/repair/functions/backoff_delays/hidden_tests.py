from hypothesis import given, settings
from hypothesis import strategies as st
from solution import backoff_delays


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 8), st.integers(1, 5), st.integers(1, 40))
def test_waits_equal_powers_of_two(attempts, base, cap):
    waits = [min(base * 2**n, cap) for n in range(max(attempts, 1) - 1)]
    assert backoff_delays(attempts, base, cap) == waits


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 9))
def test_there_is_one_wait_less_than_attempts(attempts):
    delays = backoff_delays(attempts)
    assert len(delays) == attempts - 1
    assert delays[:1] == [1][: attempts - 1]


def test_no_attempts_and_many():
    assert backoff_delays(0) == []
    assert backoff_delays(8) == [1, 2, 4, 8, 16, 30, 30]


def test_a_cap_below_the_base():
    assert backoff_delays(3, 5, 2) == [2, 2]
