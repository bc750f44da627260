"""Name the set bits of a mask, lowest first; bits without a name are shown as 'bit 3'."""


def flag_names(mask: int, names: list[str]) -> list[str]:
    found = []
    for index in range(mask.bit_length()):
        if mask & (1 << index) == 0:
            continue
        if index < len(names):
            found.append(names[index])
        else:
            found.append(f"bit {index}")
    return found
