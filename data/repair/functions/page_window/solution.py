"""List up to width page numbers around the current one, within 1 and last."""


def page_window(current: int, last: int, width: int = 5) -> list[int]:
    start = max(current - width // 2, 1)
    end = min(start + width - 1, last)
    start = max(end - width + 1, 1)
    return list(range(start, end + 1))
