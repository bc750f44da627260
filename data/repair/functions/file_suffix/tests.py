from solution import file_suffix


def test_the_last_suffix_counts():
    assert file_suffix("docs/data.tar.GZ") == ".gz"


def test_a_dot_in_a_folder_does_not_count():
    assert file_suffix("v1.2/readme") == ""


def test_a_hidden_file_has_no_suffix():
    assert file_suffix("home/.bashrc") == ""


def test_a_dot_at_the_end_is_no_suffix():
    assert file_suffix("a.") == ""
    assert file_suffix("a.b") == ".b"
