"""Count the characters of a name without the spaces around it; a missing name has none."""


def name_length(name: str | None) -> int:
    return len(name.strip())
