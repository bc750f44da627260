from solution import is_balanced


def test_nested_brackets_are_balanced():
    assert is_balanced("f(a[0])") is True


def test_crossed_brackets_are_not():
    assert is_balanced("([)]") is False


def test_an_open_bracket_at_the_end_is_not():
    assert is_balanced("(a") is False


def test_a_bracket_closed_too_early_is_not():
    assert is_balanced("a)(") is False
