"""Pack (value, width) fields into one integer, the first one highest; values are cut to fit."""


def pack_fields(fields: list[tuple[int, int]], packed: int = 0) -> int:
    for value, width in fields:
        mask = (1 << width) - 1
        packed = (packed << width) | (value & mask)
    return packed
