from solution import build_order


def test_needs_come_first():
    assert build_order({"app": ["lib"], "lib": []}) == ["lib", "app"]


def test_ready_targets_go_by_name():
    assert build_order({"c": [], "a": ["c"], "b": []}) == ["b", "c", "a"]


def test_a_cycle_has_no_order():
    assert build_order({"a": ["b"], "b": ["a"]}) is None


def test_all_needs_must_be_met():
    assert build_order({"a": ["b", "c"], "b": [], "c": []}) == ["b", "c", "a"]
