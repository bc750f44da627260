from solution import compare_versions


def test_numbers_are_compared_as_numbers():
    assert compare_versions("1.10", "1.9") == 1


def test_an_older_version_comes_first():
    assert compare_versions("1.2.3", "1.3") == -1


def test_missing_parts_are_zero():
    assert compare_versions("2", "2.0.0") == 0
    assert compare_versions("2.0.0", "2") == 0


def test_a_longer_version_is_newer():
    assert compare_versions("1.0.1", "1") == 1
