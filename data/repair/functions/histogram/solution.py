"""Count values in bins of equal width from low on; values outside all bins are left out."""


def histogram(values: list[int], low: int, width: int, bins: int) -> list[int]:
    counts = [0] * bins
    for value in values:
        index = (value - low) // width
        if 0 <= index < bins:
            counts[index] += 1
    return counts
