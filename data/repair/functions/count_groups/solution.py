"""Count the connected groups among nodes 0 to size - 1 that the edges leave."""


def count_groups(size: int, edges: list[tuple[int, int]]) -> int:
    label = list(range(size))
    for first, second in edges:
        old, new = label[first], label[second]
        label = [new if mark == old else mark for mark in label]
    return len(set(label))
