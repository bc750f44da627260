from hypothesis import given, settings
from hypothesis import strategies as st
from solution import reachable

NODES = st.sampled_from("abcd")
GRAPHS = st.dictionaries(NODES, st.lists(NODES, max_size=2), max_size=4)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(GRAPHS, NODES)
def test_nodes_equal_those_of_growing_a_set(graph, start):
    known = {start}
    for _ in "abcd":
        known |= {node for source in known for node in graph.get(source, [])}
    assert reachable(graph, start) == known


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(GRAPHS, NODES)
def test_what_is_reachable_stays_within(graph, start):
    nodes = reachable(graph, start)
    assert start in nodes
    assert all(set(graph.get(node, [])) <= nodes for node in nodes)


def test_a_node_without_edges():
    assert reachable({"a": []}, "a") == {"a"}


def test_two_ways_to_the_same_node():
    assert reachable({"a": ["b", "c"], "b": ["d"], "c": ["d"]}, "a") == {"a", "b", "c", "d"}
