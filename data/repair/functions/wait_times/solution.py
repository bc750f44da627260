"""Give each customer's wait at one counter that serves in order; arrivals never fall."""


def wait_times(arrivals: list[int], service: int, opens: int = 0) -> list[int]:
    free_at = opens
    waits = []
    for arrival in arrivals:
        start = max(arrival, free_at)
        waits.append(start - arrival)
        free_at = start + service
    return waits
