"""List the free spans between start and end that the busy spans within leave."""


def free_slots(busy: list[tuple[int, int]], start: int, end: int) -> list[tuple[int, int]]:
    free = []
    for begin, finish in sorted(busy):
        if begin > start:
            free.append((start, begin))
        start = max(start, finish)
    if start < end:
        free.append((start, end))
    return free
