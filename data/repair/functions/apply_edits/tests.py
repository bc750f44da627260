from solution import apply_edits


def test_a_part_is_replaced():
    assert apply_edits("one two", [(0, 3, "1")]) == "1 two"


def test_positions_refer_to_the_old_text():
    assert apply_edits("abcd", [(3, 4, "Z"), (0, 1, "xyz")]) == "xyzbcZ"


def test_an_empty_part_is_an_insertion():
    assert apply_edits("ab", [(1, 1, "-")]) == "a-b"


def test_an_edit_that_overlaps_an_earlier_one_is_skipped():
    assert apply_edits("abcd", [(0, 2, "X"), (1, 3, "Y")]) == "Xcd"
    assert apply_edits("abcd", [(0, 2, "X"), (2, 3, "Y")]) == "XYd"
