from solution import round_robin


def test_short_jobs_finish_first():
    assert round_robin([("a", 5), ("b", 2), ("c", 4)]) == ["b", "c", "a"]


def test_equal_jobs_keep_their_order():
    assert round_robin([("x", 3), ("y", 3)]) == ["x", "y"]


def test_a_job_may_end_exactly_with_its_turn():
    assert round_robin([("a", 3), ("b", 2)], 3) == ["a", "b"]


def test_the_quantum_can_be_set():
    assert round_robin([("a", 2), ("b", 1)]) == ["a", "b"]
    assert round_robin([("a", 2), ("b", 1)], 1) == ["b", "a"]
