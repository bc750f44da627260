from solution import merge_spans


def test_overlapping_spans_are_one():
    assert merge_spans([(1, 4), (3, 6)]) == [(1, 6)]


def test_touching_spans_are_one():
    assert merge_spans([(0, 1), (3, 5), (5, 6)]) == [(0, 1), (3, 6)]


def test_a_span_within_another_changes_nothing():
    assert merge_spans([(0, 1), (4, 9), (5, 6)]) == [(0, 1), (4, 9)]


def test_separate_spans_are_sorted():
    assert merge_spans([(6, 7), (1, 2), (3, 4)]) == [(1, 2), (3, 4), (6, 7)]
