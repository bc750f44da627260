"""Move the first steps items to the end; more steps than items go round again."""


def rotate_left(items: list[int], steps: int) -> list[int]:
    if not items:
        return []
    cut = steps % len(items)
    return items[cut:] + items[:cut]
