"""Show bytes in the first unit of B, KB, MB, GB where it is below 1000, one decimal above B."""


def human_size(size: int) -> str:
    if size < 1000:
        return f"{size} B"
    for unit in ("KB", "MB"):
        tenths = size // 100
        if tenths < 10000:
            return f"{tenths // 10}.{tenths % 10} {unit}"
        size //= 1000
    return f"{size // 1000}.{size % 1000 // 100} GB"
