"""Collect the nodes of a directed graph that can be reached from start, itself included."""


def reachable(graph: dict[str, list[str]], start: str, seen: set[str] | None = None) -> set[str]:
    if seen is None:
        seen = set()
    if start not in seen:
        seen.add(start)
        for node in graph.get(start, []):
            reachable(graph, node, seen)
    return seen
