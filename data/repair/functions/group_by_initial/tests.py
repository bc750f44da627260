from solution import group_by_initial


def test_words_are_grouped_without_case():
    assert group_by_initial(["Ant", "bee", "ape"]) == {"a": ["Ant", "ape"], "b": ["bee"]}


def test_empty_words_are_left_out():
    assert group_by_initial(["", "x"]) == {"x": ["x"]}


def test_given_groups_are_added_to():
    assert group_by_initial(["cod"], {"c": ["cat"]}) == {"c": ["cat", "cod"]}


def test_every_call_starts_afresh():
    group_by_initial(["a"])
    assert group_by_initial(["b"]) == {"b": ["b"]}
