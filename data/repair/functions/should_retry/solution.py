"""Decide whether to try again: status 429 or 5xx but 501, and fewer attempts than limit."""


def should_retry(status: int, attempt: int, limit: int = 3) -> bool:
    if attempt >= limit:
        return False
    if status == 429:
        return True
    return 500 <= status < 600 and status != 501
