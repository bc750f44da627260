"""Count the '#' cells among the up to eight neighbours of a cell."""


def live_neighbours(grid: list[str], row: int, column: int) -> int:
    count = 0
    for r in range(max(row - 1, 0), min(row + 2, len(grid))):
        for c in range(max(column - 1, 0), min(column + 2, len(grid[0]))):
            if (r, c) != (row, column) and grid[r][c] == "#":
                count += 1
    return count
