"""Find the outermost two positions in a sorted list whose items add up to target, or None."""


def pair_with_sum(items: list[int], target: int) -> tuple[int, int] | None:
    low, high = 0, len(items) - 1
    while low < high:
        total = items[low] + items[high]
        if total == target:
            return low, high
        if total < target:
            low += 1
        else:
            high -= 1
    return None
