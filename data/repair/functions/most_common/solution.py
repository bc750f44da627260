"""Find the value that occurs most often, the smallest on ties; None when there is none."""


def most_common(values: list[int], least: int = 1) -> int | None:
    best, best_count = None, 0
    for value in sorted(set(values)):
        count = values.count(value)
        if count >= least and count > best_count:
            best, best_count = value, count
    return best
