"""List the waits between attempts: doubling from base, never more than cap."""


def backoff_delays(attempts: int, base: int = 1, cap: int = 30) -> list[int]:
    delays = []
    delay = base
    for _ in range(attempts - 1):
        delays.append(min(delay, cap))
        delay *= 2
    return delays
