from solution import passes


def test_many_points_pass():
    assert passes(75) is True


def test_the_mark_itself_passes():
    assert passes(60) is True


def test_one_point_less_fails():
    assert passes(59) is False


def test_bonus_points_count():
    assert passes(55, 5) is True
