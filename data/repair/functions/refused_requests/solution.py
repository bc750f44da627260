"""Count requests refused by a bucket of capacity tokens that regains one per second."""


def refused_requests(times: list[int], capacity: int) -> int:
    tokens, last, refused = capacity, 0, 0
    for now in times:
        tokens = min(capacity, tokens + now - last)
        last = now
        if tokens >= 1:
            tokens -= 1
        else:
            refused += 1
    return refused
