from hypothesis import given, settings
from hypothesis import strategies as st
from solution import free_slots

BUSY = st.lists(
    st.tuples(st.integers(0, 9), st.integers(1, 3)).map(lambda s: (s[0], min(s[0] + s[1], 10))),
    max_size=4,
)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(BUSY)
def test_free_cells_are_those_that_are_not_busy(busy):
    taken = {cell for span in busy for cell in range(*span)}
    free = [cell for span in free_slots(busy, 0, 10) for cell in range(*span)]
    assert free == [cell for cell in range(10) if cell not in taken]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(BUSY)
def test_free_slots_are_long_and_stand_apart(busy):
    free = free_slots(busy, 0, 10)
    assert all(start < end for start, end in free)
    assert all(left[1] < right[0] for left, right in zip(free, free[1:], strict=False))


def test_a_full_day():
    assert free_slots([(0, 10)], 0, 10) == []


def test_meetings_that_touch():
    assert free_slots([(1, 2), (2, 3)], 1, 4) == [(3, 4)]
