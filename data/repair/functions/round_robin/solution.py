"""List jobs (name, work) in the order they finish when each gets quantum at a turn."""


def round_robin(jobs: list[tuple[str, int]], quantum: int = 2) -> list[str]:
    queue = list(jobs)
    done = []
    while queue:
        name, left = queue.pop(0)
        if left <= quantum:
            done.append(name)
        else:
            queue.append((name, left - quantum))
    return done
