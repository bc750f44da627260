"""Give the way from one folder to another, as '../x'; '.' when they are the same."""


def relative_path(source: str, target: str) -> str:
    a, b = source.split("/"), target.split("/")
    shared = 0
    while shared < min(len(a), len(b)) and a[shared] == b[shared]:
        shared += 1
    parts = [".."] * (len(a) - shared) + b[shared:]
    return "/".join(parts) or "."
