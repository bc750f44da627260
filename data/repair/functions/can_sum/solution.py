"""Tell whether some of the positive values, each used once at most, add up to the target."""


def can_sum(values: list[int], target: int) -> bool:
    sums = {0}
    for value in values:
        if value > target:
            continue
        sums |= {total + value for total in sums if total + value <= target}
    return target in sums
