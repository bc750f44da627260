from solution import backoff_delays


def test_waits_double():
    assert backoff_delays(5) == [1, 2, 4, 8]


def test_waits_are_capped():
    assert backoff_delays(4, 3, 7) == [3, 6, 7]


def test_one_attempt_needs_no_wait():
    assert backoff_delays(1) == []


def test_the_default_cap_is_thirty():
    assert backoff_delays(4, 10) == [10, 20, 30]
