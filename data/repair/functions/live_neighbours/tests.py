from solution import live_neighbours


def test_the_cell_itself_does_not_count():
    assert live_neighbours(["...", ".#.", "..."], 1, 1) == 0


def test_all_eight_neighbours_count():
    assert live_neighbours(["###", "###", "###"], 1, 1) == 8


def test_a_corner_has_three_neighbours():
    assert live_neighbours(["##", "##"], 0, 0) == 3
    assert live_neighbours(["##", "##"], 1, 1) == 3


def test_cells_two_steps_away_do_not_count():
    assert live_neighbours(["#####", "#...#", "#...#", "#...#", "#####"], 2, 2) == 0
