"""Find the first place in a sorted list whose item is not below the target."""


def lower_bound(items: list[int], target: int) -> int:
    low, high = 0, len(items)
    while low < high:
        middle = (low + high) // 2
        if items[middle] < target:
            low = middle + 1
        else:
            high = middle
    return low
