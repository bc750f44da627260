from solution import run_lengths


def test_equal_neighbours_are_counted_together():
    assert run_lengths("aab") == [("a", 2), ("b", 1)]


def test_a_character_may_come_back():
    assert run_lengths("aba") == [("a", 1), ("b", 1), ("a", 1)]


def test_one_run_covers_the_text():
    assert run_lengths("xxx") == [("x", 3)]


def test_empty_text_has_no_runs():
    assert run_lengths("") == []
