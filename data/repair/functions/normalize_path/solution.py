"""Make a path absolute and resolve '.', '..' and repeated slashes."""


def normalize_path(path: str) -> str:
    parts = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part and part != ".":
            parts.append(part)
    return "/" + "/".join(parts)
