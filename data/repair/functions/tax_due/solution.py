"""Tax whole units: 10 percent up to 1000, 20 up to 5000, 40 above; round down at the end."""


def tax_due(income: int) -> int:
    due = 0
    upper = income
    for floor, percent in ((5000, 40), (1000, 20), (0, 10)):
        if upper > floor:
            due += (upper - floor) * percent
            upper = floor
    return due // 100
