"""Count the characters of a name without the spaces around it; a missing name has none."""


def name_length(name: str | None) -> int:
    if name is None:
        return 0
    return len(name.strip())
