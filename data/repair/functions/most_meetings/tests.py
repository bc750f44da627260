from solution import most_meetings


def test_the_earliest_end_is_taken():
    assert most_meetings([(0, 9), (1, 3), (4, 6)]) == [(1, 3), (4, 6)]


def test_a_meeting_may_start_when_another_ends():
    assert most_meetings([(1, 2), (2, 4)]) == [(1, 2), (2, 4)]


def test_a_pause_is_kept():
    assert most_meetings([(0, 2), (2, 3), (3, 5)], 1) == [(0, 2), (3, 5)]


def test_overlapping_meetings_leave_one():
    assert most_meetings([(1, 5), (4, 6)]) == [(1, 5)]
