"""Find the position of target in a sorted list without repeats; -1 when it is not there."""


def find_index(items: list[int], target: int) -> int:
    low, high = 0, len(items) - 1
    while low <= high:
        middle = (low + high) // 2
        if items[middle] == target:
            return middle
        if items[middle] < target:
            low = middle + 1
        else:
            high = middle - 1
    return -1
