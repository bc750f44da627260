"""Add bytes to two sums modulo 251, the second one of the first, and pack both in one number."""


def checksum(data: list[int], seed: int = 1) -> int:
    low, high = seed, 0
    for byte in data:
        low = (low + byte) % 251
        high = (high + low) % 251
    return high * 256 + low
