from solution import admit


def test_requests_up_to_the_limit_are_admitted():
    assert admit([1, 1, 1], 2, 10) == [True, True, False]


def test_a_place_is_free_after_the_window():
    assert admit([0, 4, 5], 1, 5) == [True, False, True]


def test_refused_requests_do_not_count():
    assert admit([0, 1, 2, 3], 1, 2) == [True, False, True, False]


def test_no_requests():
    assert admit([], 1, 1) == []
