from solution import deep_merge


def test_keys_of_both_are_kept():
    assert deep_merge({"a": 1}, {"b": 2}) == {"a": 1, "b": 2}


def test_dicts_are_merged_within():
    assert deep_merge({"a": {"x": 1}}, {"a": {"y": 2}}) == {"a": {"x": 1, "y": 2}}


def test_none_removes_a_key():
    assert deep_merge({"a": 1, "b": 2}, {"a": None, "z": None}) == {"b": 2}


def test_other_values_are_replaced():
    assert deep_merge({"a": {"x": 1}}, {"a": 3}) == {"a": 3}
    assert deep_merge({"a": 3}, {"a": {"x": 1}}) == {"a": {"x": 1}}
