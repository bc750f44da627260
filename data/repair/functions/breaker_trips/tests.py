from solution import breaker_trips


def test_three_failures_trip_it():
    assert breaker_trips([False, False, False]) == 1


def test_a_success_resets_the_count():
    assert breaker_trips([False, False, True, False]) == 0


def test_a_trip_resets_the_count():
    assert breaker_trips([False] * 5) == 1
    assert breaker_trips([False] * 6) == 2


def test_the_threshold_can_be_set():
    assert breaker_trips([False, True, False], 1) == 2
