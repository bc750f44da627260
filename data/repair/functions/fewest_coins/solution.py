"""Find the fewest coins that make an amount; None when no mix of coins does."""


def fewest_coins(amount: int, coins: list[int]) -> int | None:
    best = [0] + [amount + 1] * amount
    for total in range(1, amount + 1):
        for coin in coins:
            if coin <= total:
                best[total] = min(best[total], best[total - coin] + 1)
    return best[amount] if best[amount] <= amount else None
