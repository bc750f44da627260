"""Give the sum of every window of consecutive values; none when the window does not fit."""


def moving_sums(values: list[int], window: int) -> list[int]:
    if window < 1 or window > len(values):
        return []
    total = sum(values[:window])
    sums = [total]
    for index in range(window, len(values)):
        total += values[index] - values[index - window]
        sums.append(total)
    return sums
