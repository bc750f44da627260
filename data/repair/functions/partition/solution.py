"""Put items below a pivot first, then equal ones, then larger ones; order within stays."""


def partition(items: list[int], pivot: int) -> list[int]:
    below, same, above = [], [], []
    for item in items:
        if item < pivot:
            below.append(item)
        elif item > pivot:
            above.append(item)
        else:
            same.append(item)
    return below + same + above
