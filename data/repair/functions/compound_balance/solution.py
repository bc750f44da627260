"""Grow a balance in cents by yearly interest, rounded down, less a fee; never below zero."""


def compound_balance(cents: int, percent: int, years: int, fee: int = 0) -> int:
    for _ in range(years):
        cents += cents * percent // 100
        cents = max(cents - fee, 0)
    return cents
