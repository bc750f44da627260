"""List the items that new has more of and those that old has more of, each in its order."""


def diff_lists(old: list[int], new: list[int]) -> tuple[list[int], list[int]]:
    added = []
    removed = list(old)
    for item in new:
        if item in removed:
            removed.remove(item)
        else:
            added.append(item)
    return added, removed
