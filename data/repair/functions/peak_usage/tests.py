from solution import peak_usage


def test_sessions_that_overlap_count_together():
    assert peak_usage([(1, 5), (2, 6), (4, 7)]) == 3


def test_sessions_one_after_the_other():
    assert peak_usage([(1, 2), (3, 4)]) == 1
    assert peak_usage([(0, 1), (2, 5), (3, 4)]) == 2


def test_an_end_frees_its_place_for_a_start():
    assert peak_usage([(1, 3), (3, 5)]) == 1


def test_no_sessions():
    assert peak_usage([]) == 0
