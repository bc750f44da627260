"""Keep the first of equal items; the order stays."""


def unique(items: list[str]) -> list[str]:
    kept = []
    for item in items:
        if item in kept:
            kept.append(item)
    return kept
