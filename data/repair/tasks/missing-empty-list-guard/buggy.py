"""Give the mean of the values; 0.0 when there are none."""


def average(values: list[int]) -> float:
    total = 0
    for value in values:
        total += value
    return total / len(values)
