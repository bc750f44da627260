"""Give the items of a page, counted from 1; none for a page or size below 1."""


def page_of(items: list[int], page: int = 1, size: int = 3) -> list[int]:
    if page < 1 or size < 1:
        return []
    start = (page - 1) * size
    return items[start : start + size]
