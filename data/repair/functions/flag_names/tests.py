from solution import flag_names


def test_set_bits_are_named():
    assert flag_names(5, ["read", "write", "run"]) == ["read", "run"]


def test_no_bits_have_no_names():
    assert flag_names(0, ["read"]) == []


def test_a_bit_without_a_name():
    assert flag_names(9, ["read"]) == ["read", "bit 3"]


def test_all_bits():
    assert flag_names(3, ["a", "b"]) == ["a", "b"]
