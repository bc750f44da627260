from solution import indent_level


def test_spaces_count_one_each():
    assert indent_level("  x") == 2


def test_a_tab_moves_to_the_next_stop():
    assert indent_level("\tx") == 4
    assert indent_level(" \tx") == 4


def test_spaces_after_the_text_do_not_count():
    assert indent_level(" a b\t") == 1


def test_the_tab_stop_can_be_set():
    assert indent_level("\t\ty", 2) == 4
