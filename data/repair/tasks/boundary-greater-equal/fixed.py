"""Tell whether points plus bonus reach the pass mark; reaching it exactly is enough."""


def passes(points: int, bonus: int = 0, mark: int = 60) -> bool:
    if points < 0:
        return False
    return points + bonus >= mark
