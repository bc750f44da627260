"""Count Monday to Friday among days from weekday first (0 = Monday), holidays left out."""


def workdays(first: int, days: int, holidays: list[int] | None = None) -> int:
    if holidays is None:
        holidays = []
    count = 0
    for offset in range(days):
        if (first + offset) % 7 < 5 and offset not in holidays:
            count += 1
    return count
