"""List the positions where two texts differ, those past the shorter end included."""


def mismatches(left: str, right: str) -> list[int]:
    shorter = min(len(left), len(right))
    longer = max(len(left), len(right))
    found = [index for index in range(shorter) if left[index] != right[index]]
    found.extend(range(shorter, longer))
    return found
