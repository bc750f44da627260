"""Give the number of a day within its year; January the first is 1."""


def day_of_year(month: int, day: int, leap: bool = False) -> int:
    total = day
    for earlier in range(1, month):
        if earlier == 2:
            total += 29 if leap else 28
        elif earlier in (4, 6, 9, 11):
            total += 30
        else:
            total += 31
    return total
