from solution import grade


def test_ninety_percent_is_an_a():
    assert grade(90, 100) == "A"
    assert grade(449, 500) == "B"
    assert grade(1, 1) == "A"


def test_seventy_five_percent_is_a_b():
    assert grade(15, 20) == "B"
    assert grade(74, 100) == "C"


def test_half_is_a_c():
    assert grade(1, 2) == "C"
    assert grade(49, 100) == "F"


def test_bonus_points_count_and_no_total_fails():
    assert grade(45, 60, 9) == "A"
    assert grade(5, 0) == "F"
