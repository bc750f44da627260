from solution import is_full_name


def test_two_names():
    assert is_full_name("Ada", "Byron") is True


def test_a_missing_last_name():
    assert is_full_name("Ada", "") is False


def test_a_missing_first_name():
    assert is_full_name("", "Byron") is False


def test_digits_are_no_name():
    assert is_full_name("R2", "D2") is False
