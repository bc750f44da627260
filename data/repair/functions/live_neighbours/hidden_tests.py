from hypothesis import given, settings
from hypothesis import strategies as st
from solution import live_neighbours

ROW = st.text("#.", min_size=4, max_size=4)
GRIDS = st.lists(ROW, min_size=3, max_size=3)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(GRIDS, st.integers(0, 2), st.integers(0, 3))
def test_count_equals_cells_at_distance_one(grid, row, column):
    cells = [(r, c) for r in range(3) for c in range(4) if grid[r][c] == "#"]
    near = [max(abs(r - row), abs(c - column)) == 1 for r, c in cells]
    assert live_neighbours(grid, row, column) == sum(near)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(GRIDS)
def test_neighbourhood_is_mutual(grid):
    cells = [(r, c) for r in range(3) for c in range(4)]
    seen = sum(live_neighbours(grid, r, c) for r, c in cells if grid[r][c] == ".")
    flipped = [row.translate(str.maketrans("#.", ".#")) for row in grid]
    assert seen == sum(live_neighbours(flipped, r, c) for r, c in cells if grid[r][c] == "#")


def test_a_single_cell():
    assert live_neighbours(["#"], 0, 0) == 0


def test_a_single_row():
    assert live_neighbours(["###"], 0, 1) == 2
