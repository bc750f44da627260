"""Choose the most meetings (start, end) that do not overlap, the earliest end first."""


def most_meetings(meetings: list[tuple[int, int]], pause: int = 0) -> list[tuple[int, int]]:
    chosen = []
    free_at = 0
    for start, end in sorted(meetings, key=lambda meeting: meeting[::-1]):
        if start >= free_at:
            chosen.append((start, end))
            free_at = end + pause
    return chosen
