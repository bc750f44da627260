"""Find the second largest of the different values; None when there are fewer than two."""


def second_largest(values: list[int]) -> int | None:
    first = second = None
    for value in values:
        if first is None or value > first:
            first, second = value, first
        elif value != first and (second is None or value > second):
            second = value
    return second
