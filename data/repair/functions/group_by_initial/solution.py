"""Sort words into lists by their first letter, ignoring case, adding to groups if given."""


def group_by_initial(
    words: list[str], groups: dict[str, list[str]] | None = None
) -> dict[str, list[str]]:
    if groups is None:
        groups = {}
    for word in words:
        if not word:
            continue
        groups.setdefault(word[0].lower(), []).append(word)
    return groups
