from solution import checksum


def test_no_data_leave_the_seed():
    assert checksum([]) == 1


def test_one_byte():
    assert checksum([4]) == 5 * 256 + 5


def test_order_matters():
    assert checksum([1, 2], 0) == 4 * 256 + 3
    assert checksum([2, 1], 0) == 5 * 256 + 3


def test_sums_wrap_at_251():
    assert checksum([250]) == 0
    assert checksum([200, 200], 0) == 98 * 256 + 149
