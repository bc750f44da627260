from hypothesis import given, settings
from hypothesis import strategies as st
from solution import merge_spans

SPANS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 4)).map(lambda s: (s[0], s[0] + s[1])), max_size=5
)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SPANS)
def test_the_same_cells_are_covered(spans):
    cells = {cell for start, end in spans for cell in range(start, end)}
    assert cells == {cell for start, end in merge_spans(spans) for cell in range(start, end)}


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SPANS)
def test_merged_spans_stand_apart(spans):
    merged = merge_spans(spans)
    assert all(left[1] < right[0] for left, right in zip(merged, merged[1:], strict=False))
    assert bool(merged) is bool(spans)


def test_no_spans():
    assert merge_spans([]) == []


def test_a_chain_of_spans():
    assert merge_spans([(5, 8), (0, 2), (2, 5), (9, 9)]) == [(0, 8), (9, 9)]
