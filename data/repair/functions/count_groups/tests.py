from solution import count_groups


def test_nodes_without_edges_are_groups():
    assert count_groups(3, []) == 3


def test_an_edge_joins_two():
    assert count_groups(3, [(0, 2)]) == 2


def test_a_second_way_changes_nothing():
    assert count_groups(3, [(0, 1), (1, 2), (2, 0)]) == 1


def test_groups_are_joined_as_a_whole():
    assert count_groups(5, [(0, 1), (2, 3), (1, 3)]) == 2
