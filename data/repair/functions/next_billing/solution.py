"""Give the (year, month, day) of the next bill, cut to the month's end; February has 28."""


def next_billing(year: int, month: int, day: int, every: int = 1) -> tuple[int, int, int]:
    month += every
    if month > 12:
        year += (month - 1) // 12
        month = (month - 1) % 12 + 1
    last = 30 if month in (4, 6, 9, 11) else 31
    if month == 2:
        last = 28
    return year, month, min(day, last)
