from solution import fits


def test_a_light_load_fits():
    assert fits([2, 3], 9) is True


def test_a_full_van_is_allowed():
    assert fits([4, 6], 10) is True


def test_one_too_many_does_not_fit():
    assert fits([4, 7], 10) is False


def test_nothing_always_fits():
    assert fits([], 0) is True
