from hypothesis import given, settings
from hypothesis import strategies as st
from solution import above

VALUES = st.lists(st.integers(-3, 6), max_size=7)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES, st.integers(-3, 6))
def test_all_kept_values_exceed_the_limit_and_no_others_do(values, limit):
    kept = above(values, limit)
    assert sorted(kept) == sorted(values)[len(values) - len(kept) :]
    assert len(kept) == sum(value - limit >= 1 for value in values)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(VALUES)
def test_a_limit_below_all_keeps_everything(values):
    assert above(values, -9) == values


def test_order_stays():
    assert above([7, 6, 9], 5) == [7, 6, 9]


def test_negative_limit():
    assert above([-5, 0], -1) == [0]
