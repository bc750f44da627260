from solution import wait_times


def test_the_first_customer_does_not_wait():
    assert wait_times([3], 5) == [0]


def test_a_customer_waits_for_the_one_before():
    assert wait_times([0, 1, 2], 4) == [0, 3, 6]


def test_a_free_counter_serves_at_once():
    assert wait_times([0, 10, 11], 4) == [0, 0, 3]


def test_nobody_is_served_before_opening():
    assert wait_times([2, 9], 3, 5) == [3, 0]
    assert wait_times([0], 3) == [0]
