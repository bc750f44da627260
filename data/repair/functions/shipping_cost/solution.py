"""Price a parcel in cents: by weight, dearer when express, free for members otherwise."""


def shipping_cost(grams: int, express: bool = False, member: bool = False) -> int:
    if grams <= 0:
        return 0
    if member and not express:
        return 0
    cost = 500 if grams <= 1000 else 900
    if express:
        cost += 400
    return cost
