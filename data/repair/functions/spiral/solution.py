"""List the cells of a grid clockwise from the top left, turning inwards."""


def spiral(grid: list[list[int]]) -> list[int]:
    path = []
    while grid:
        path.extend(grid[0])
        columns = [list(column) for column in zip(*grid[1:])]
        grid = columns[::-1]
    return path
