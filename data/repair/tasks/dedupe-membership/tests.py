from solution import unique


def test_repeats_are_dropped():
    assert unique(["a", "b", "a"]) == ["a", "b"]


def test_order_stays():
    assert unique(["c", "a", "b"]) == ["c", "a", "b"]


def test_no_items():
    assert unique([]) == []


def test_one_item_many_times():
    assert unique(["x", "x", "x"]) == ["x"]
