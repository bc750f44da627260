"""Measure the part that two spans (start, end) share, after gap is taken off each end."""


def overlap_length(first: tuple[int, int], second: tuple[int, int], gap: int = 0) -> int:
    start = max(first[0], second[0]) + gap
    end = min(first[1], second[1]) - gap
    if end < start:
        return 0
    return end - start
