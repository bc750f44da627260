from hypothesis import given, settings
from hypothesis import strategies as st
from solution import count_groups

EDGES = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), max_size=5)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(EDGES)
def test_number_equals_that_of_growing_sets(edges):
    groups = {node: {node} for node in range(5)}
    for first, second in edges:
        joined = groups[first] | groups[second]
        for node in joined:
            groups[node] = joined
    assert count_groups(5, edges) == len({min(group) for group in groups.values()})


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 7), st.integers(0, 6))
def test_a_chain_leaves_one_group_less_each_edge(size, links):
    edges = [(node, node + 1) for node in range(min(links, size - 1))]
    assert count_groups(size, edges) == size - len(edges)


def test_no_nodes():
    assert count_groups(0, []) == 0


def test_a_node_joined_to_itself():
    assert count_groups(2, [(1, 1)]) == 2
