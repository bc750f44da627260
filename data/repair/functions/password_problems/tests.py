from solution import password_problems


def test_a_good_password_has_none():
    assert password_problems("Abcdefg1") == []


def test_a_short_password():
    assert password_problems("Abcdef1") == ["short"]


def test_a_password_without_digits():
    assert password_problems("Abcdefgh") == ["digit"]


def test_a_password_of_small_letters():
    assert password_problems("abc1", 4) == ["upper"]
    assert password_problems("abc") == ["short", "digit", "upper"]
