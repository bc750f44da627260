from solution import pack_fields


def test_the_first_field_is_highest():
    assert pack_fields([(1, 4), (2, 4)]) == 18


def test_a_value_is_cut_to_its_width():
    assert pack_fields([(7, 2)]) == 3


def test_fields_may_follow_packed_ones():
    assert pack_fields([(1, 1)], 2) == 5


def test_no_fields_are_nothing():
    assert pack_fields([]) == 0
    assert pack_fields([(0, 3), (5, 3)]) == 5
