"""Give the absolute difference between the sums of a square grid's two diagonals."""


def diagonal_gap(grid: list[list[int]]) -> int:
    size = len(grid)
    gap = 0
    for index in range(size):
        gap += grid[index][index]
        gap -= grid[index][size - 1 - index]
    return abs(gap)
