from hypothesis import given, settings
from hypothesis import strategies as st
from solution import priority_order

TASKS = st.lists(
    st.tuples(st.sampled_from("abcd"), st.integers(0, 2), st.integers(0, 4)),
    max_size=4,
    unique_by=lambda task: task[0],
)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TASKS, st.integers(0, 4))
def test_order_equals_taking_the_best_in_turn(tasks, urgent):
    near = [task for task in tasks if task[2] <= urgent]
    far = [task for task in tasks if task[2] > urgent]
    expected = []
    for part in (near, far):
        for priority in (2, 1, 0):
            expected += sorted(name for name, value, _ in part if value == priority)
    assert priority_order(tasks, urgent) == expected


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TASKS)
def test_order_of_arrival_does_not_matter(tasks):
    assert priority_order(tasks) == priority_order(tasks[::-1])


def test_two_days_are_urgent_and_three_are_not():
    assert priority_order([("a", 5, 3), ("b", 1, 2)]) == ["b", "a"]


def test_all_urgent():
    assert priority_order([("a", 1, 0), ("b", 2, 2), ("c", 3, 1)]) == ["c", "b", "a"]
