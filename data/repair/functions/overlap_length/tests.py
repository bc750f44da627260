from solution import overlap_length


def test_spans_share_their_middle():
    assert overlap_length((1, 5), (3, 9)) == 2


def test_a_span_within_another():
    assert overlap_length((0, 9), (2, 6)) == 4


def test_separate_spans_share_nothing():
    assert overlap_length((0, 2), (5, 7)) == 0


def test_a_gap_is_taken_off_both_ends():
    assert overlap_length((0, 10), (2, 20), 1) == 6
