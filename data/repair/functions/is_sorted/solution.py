"""Tell whether items never fall; when strict, whether each is larger than the one before."""


def is_sorted(items: list[int], strict: bool = False) -> bool:
    for left, right in zip(items, items[1:]):
        if left > right:
            return False
        if strict and left == right:
            return False
    return True
