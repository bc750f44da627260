"""Keep the values that are above a limit, in their order."""


def above(values: list[int], limit: int) -> list[int]:
    kept = []
    for value in values:
        if value < limit:
            kept.append(value)
    return kept
