from hypothesis import given, settings
from hypothesis import strategies as st
from solution import hops

NODES = st.sampled_from("abcd")
GRAPHS = st.dictionaries(NODES, st.lists(NODES, max_size=2), max_size=4)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(GRAPHS, NODES, NODES)
def test_hops_equal_relaxed_distances(graph, start, goal):
    distance = {start: 0}
    for _ in "abcd":
        for node in sorted(distance, key=distance.get):
            for after in graph.get(node, []):
                distance[after] = min(distance.get(after, 9), distance[node] + 1)
    assert hops(graph, start, goal) == distance.get(goal)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(0, 6), st.integers(0, 6))
def test_on_a_circle_hops_are_the_difference(start, goal):
    circle = {str(n): [str((n + 1) % 7)] for n in range(7)}
    assert hops(circle, str(start), str(goal)) == (goal - start) % 7


def test_an_unknown_start():
    assert hops({}, "a", "b") is None


def test_a_loop_on_the_way():
    assert hops({"a": ["a", "b"]}, "a", "b") == 1
