from solution import strip_comment


def test_a_comment_is_cut():
    assert strip_comment("x = 1  # one") == "x = 1"


def test_a_sign_in_quotes_is_text():
    assert strip_comment("c = '#' # sign") == "c = '#'"


def test_a_line_without_comment_stays():
    assert strip_comment("  y = 2 ") == "  y = 2"


def test_a_comment_alone_leaves_nothing():
    assert strip_comment("# all") == ""
