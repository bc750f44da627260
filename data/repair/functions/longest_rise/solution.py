"""Measure the longest run of neighbours in which each value is larger than the last."""


def longest_rise(values: list[int]) -> int:
    best = run = 0
    for index, value in enumerate(values):
        if index > 0 and value > values[index - 1]:
            run += 1
        else:
            run = 1
        best = max(best, run)
    return best
