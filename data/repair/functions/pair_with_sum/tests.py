from solution import pair_with_sum


def test_a_pair_is_found():
    assert pair_with_sum([1, 3, 5, 8], 8) == (1, 2)


def test_the_outermost_pair_is_found():
    assert pair_with_sum([1, 2, 3, 4], 5) == (0, 3)


def test_an_item_is_not_used_twice():
    assert pair_with_sum([1, 4, 9], 8) is None


def test_neighbours_may_be_the_pair():
    assert pair_with_sum([2, 6], 8) == (0, 1)
    assert pair_with_sum([], 0) is None
