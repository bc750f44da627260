from hypothesis import given, settings
from hypothesis import strategies as st
from solution import spiral


def numbered(height, width):
    return [[row * width + column for column in range(width)] for row in range(height)]


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 4), st.integers(1, 4))
def test_path_equals_a_walk_that_turns_right_at_walls(height, width):
    grid, seen, path = numbered(height, width), set(), []
    row, column, down, right = 0, 0, 0, 1
    for _ in range(height * width):
        path.append(grid[row][column])
        seen.add((row, column))
        ahead = (row + down, column + right)
        if ahead in seen or not (0 <= ahead[0] < height and 0 <= ahead[1] < width):
            down, right = right, -down
        row, column = row + down, column + right
    assert spiral(grid) == path


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(st.integers(1, 4), st.integers(1, 4))
def test_every_cell_is_visited_once(height, width):
    assert sorted(spiral(numbered(height, width))) == list(range(height * width))


def test_a_single_column():
    assert spiral([[1], [2], [3]]) == [1, 2, 3]


def test_a_tall_grid():
    assert spiral([[1, 2], [6, 3], [5, 4]]) == [1, 2, 3, 4, 5, 6]
