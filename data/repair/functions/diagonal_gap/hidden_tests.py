from hypothesis import given, settings
from hypothesis import strategies as st
from solution import diagonal_gap

SIZES = st.integers(1, 4)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SIZES, st.integers(0, 99), st.integers(1, 7))
def test_gap_equals_the_two_sums(size, seed, step):
    grid = [[(seed + r * r * step + c * 3) % 10 for c in range(size)] for r in range(size)]
    falling = sum(grid[r][c] for r in range(size) for c in range(size) if r == c)
    rising = sum(grid[r][c] for r in range(size) for c in range(size) if r + c == size - 1)
    assert diagonal_gap(grid) == max(falling, rising) - min(falling, rising)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SIZES, st.integers(-9, 9), st.integers(1, 9))
def test_a_raised_corner_is_the_gap(size, level, more):
    grid = [[level] * size for _ in range(size)]
    grid[0][0] += more
    assert diagonal_gap(grid) == (more if size > 1 else 0)


def test_the_gap_is_never_negative():
    assert diagonal_gap([[0, 8], [8, 0]]) == 16


def test_cells_off_the_diagonals_do_not_count():
    assert diagonal_gap([[0, 9, 0], [9, 0, 9], [0, 9, 0]]) == 0
