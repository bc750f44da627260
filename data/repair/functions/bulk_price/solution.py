"""Price a number of units in cents: 5 percent off from 10 units, 20 percent from 50."""


def bulk_price(unit: int, quantity: int) -> int:
    if quantity <= 0:
        return 0
    percent = 0
    if quantity >= 50:
        percent = 20
    elif quantity >= 10:
        percent = 5
    total = unit * quantity
    return total - total * percent // 100
