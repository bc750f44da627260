"""List the inner positions whose value is larger than both neighbours and at least floor."""


def find_peaks(values: list[int], floor: int = 0) -> list[int]:
    peaks = []
    for i in range(1, len(values) - 1):
        left, here, right = values[i - 1], values[i], values[i + 1]
        if left < here and here > right and here >= floor:
            peaks.append(i)
    return peaks
