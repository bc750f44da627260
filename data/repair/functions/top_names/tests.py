from solution import top_names


def test_the_best_come_first():
    assert top_names({"a": 1, "b": 5, "c": 3}) == ["b", "c"]


def test_ties_go_by_name():
    assert top_names({"z": 4, "b": 4, "a": 4}) == ["a", "b"]


def test_a_score_of_zero_is_left_out():
    assert top_names({"a": 0, "b": 1}) == ["b"]


def test_the_number_of_names_can_be_set():
    assert top_names({"a": 1, "b": 2, "c": 3}, 1) == ["c"]
