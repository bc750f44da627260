"""Pay an amount with the largest coins first; coins are given from large to small."""


def give_change(cents: int, coins: tuple[int, ...] = (25, 10, 5, 1)) -> list[int]:
    given = []
    for coin in coins:
        count = cents // coin
        given.extend([coin] * count)
        cents -= coin * count
    return given
