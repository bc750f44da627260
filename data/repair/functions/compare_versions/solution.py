"""Compare dotted versions: -1, 0 or 1; missing parts count as zero."""


def compare_versions(left: str, right: str) -> int:
    a = [int(part) for part in left.split(".")]
    b = [int(part) for part in right.split(".")]
    length = max(len(a), len(b))
    a += [0] * (length - len(a))
    b += [0] * (length - len(b))
    if a == b:
        return 0
    return 1 if a > b else -1
