from solution import count_status


def test_equal_states_are_counted():
    assert count_status(["open", "done", "open"], "open") == 2


def test_other_states_are_not():
    assert count_status(["done", "done"], "open") == 0


def test_no_states():
    assert count_status([], "open") == 0


def test_all_states():
    assert count_status(["open"], "open") == 1
