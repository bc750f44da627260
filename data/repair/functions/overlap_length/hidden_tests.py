from hypothesis import given, settings
from hypothesis import strategies as st
from solution import overlap_length

SPANS = st.tuples(st.integers(0, 8), st.integers(0, 8)).map(lambda s: (min(s), max(s)))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SPANS, SPANS)
def test_length_equals_the_number_of_shared_cells(first, second):
    assert overlap_length(first, second) == len(set(range(*first)) & set(range(*second)))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SPANS, SPANS, st.integers(0, 3))
def test_a_gap_shortens_both_ends(first, second, gap):
    assert overlap_length(first, second, gap) == max(overlap_length(first, second) - 2 * gap, 0)


def test_touching_spans_share_nothing():
    assert overlap_length((0, 3), (3, 4)) == 0


def test_a_span_and_itself():
    assert overlap_length((4, 6), (4, 6)) == 2
