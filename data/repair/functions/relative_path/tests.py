from solution import relative_path


def test_down_into_a_folder():
    assert relative_path("a", "a/b/c") == "b/c"


def test_up_to_a_parent():
    assert relative_path("a/b/c", "a") == "../.."


def test_up_and_down():
    assert relative_path("a/b", "a/x") == "../x"
    assert relative_path("a", "b") == "../b"


def test_the_same_folder():
    assert relative_path("a/b", "a/b") == "."
