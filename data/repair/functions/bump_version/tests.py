from solution import bump_version


def test_patch_is_the_default():
    assert bump_version("1.2.3") == "1.2.4"


def test_minor_resets_patch():
    assert bump_version("1.2.3", "minor") == "1.3.0"


def test_major_resets_the_rest():
    assert bump_version("1.2.3", "major") == "2.0.0"


def test_nine_is_followed_by_ten():
    assert bump_version("0.0.9", "patch") == "0.0.10"
