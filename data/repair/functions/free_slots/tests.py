from solution import free_slots


def test_an_empty_day_is_free():
    assert free_slots([], 9, 17) == [(9, 17)]


def test_time_between_meetings_is_free():
    assert free_slots([(14, 15), (10, 12)], 9, 17) == [(9, 10), (12, 14), (15, 17)]


def test_meetings_at_the_ends_leave_no_slot():
    assert free_slots([(9, 11), (12, 17)], 9, 17) == [(11, 12)]


def test_a_meeting_within_another_changes_nothing():
    assert free_slots([(10, 15), (11, 12)], 9, 17) == [(9, 10), (15, 17)]
