from hypothesis import given, settings
from hypothesis import strategies as st
from solution import round_robin

JOBS = st.lists(st.integers(1, 9), max_size=5).map(lambda work: list(zip("abcde", work)))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(JOBS, st.integers(1, 4))
def test_jobs_finish_by_the_number_of_their_turns(jobs, quantum):
    turns = {name: (work + quantum - 1) // quantum for name, work in jobs}
    assert round_robin(jobs, quantum) == sorted(turns, key=turns.get)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(JOBS)
def test_a_large_quantum_keeps_the_order(jobs):
    assert round_robin(jobs, 9) == [name for name, _ in jobs]


def test_a_turn_is_two_by_default():
    assert round_robin([("a", 3), ("b", 2), ("c", 1)]) == ["b", "c", "a"]
    assert round_robin([]) == []


def test_a_job_without_work():
    assert round_robin([("a", 4), ("b", 0)]) == ["b", "a"]
