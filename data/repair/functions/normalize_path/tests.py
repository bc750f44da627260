from solution import normalize_path


def test_slashes_are_single():
    assert normalize_path("/a//b/") == "/a/b"


def test_a_dot_changes_nothing():
    assert normalize_path("a/./b") == "/a/b"


def test_two_dots_go_up():
    assert normalize_path("/a/b/../c") == "/a/c"


def test_the_root_is_the_top():
    assert normalize_path("/../..") == "/"
