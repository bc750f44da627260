from solution import edit_distance


def test_equal_words_need_no_edit():
    assert edit_distance("cat", "cat") == 0


def test_one_letter_is_replaced():
    assert edit_distance("cat", "cut") == 1


def test_letters_are_added_to_nothing():
    assert edit_distance("", "abc") == 3
    assert edit_distance("ab", "") == 2


def test_edits_of_several_kinds_add_up():
    assert edit_distance("sunday", "saturday") == 3
