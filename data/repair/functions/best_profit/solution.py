"""Find the largest gain of one purchase and one later sale, less a fee; zero if there is none."""


def best_profit(prices: list[int], fee: int = 0) -> int:
    if not prices:
        return 0
    lowest = prices[0]
    best = 0
    for price in prices[1:]:
        best = max(best, price - lowest - fee)
        lowest = min(lowest, price)
    return best
