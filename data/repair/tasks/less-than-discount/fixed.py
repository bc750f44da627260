"""Add up prices in cents; an order above 10000 is 10 percent cheaper, rounded down."""


def order_total(prices: list[int]) -> int:
    total = sum(prices)
    if total > 10000:
        return total * 90 // 100
    return total
