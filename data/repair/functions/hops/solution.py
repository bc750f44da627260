"""Count the edges of the shortest way from start to goal; None when there is no way."""


def hops(graph: dict[str, list[str]], start: str, goal: str) -> int | None:
    frontier, seen = {start}, set()
    steps = 0
    while frontier:
        if goal in frontier:
            return steps
        seen |= frontier
        steps += 1
        frontier = {node for name in frontier for node in graph.get(name, [])} - seen
    return None
