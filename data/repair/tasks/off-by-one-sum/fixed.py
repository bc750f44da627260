"""Add up the first count values, or all of them when there are fewer."""


def sum_first(values: list[int], count: int) -> int:
    total = 0
    for index in range(min(count, len(values))):
        total += values[index]
    return total
