"""Multiply two matrices given as lists of rows; None when their sizes do not fit."""


def matrix_product(a: list[list[int]], b: list[list[int]]) -> list[list[int]] | None:
    if not a or len(a[0]) != len(b):
        return None
    columns = list(zip(*b))
    product = []
    for row in a:
        cells = [sum(x * y for x, y in zip(row, column)) for column in columns]
        product.append(cells)
    return product
