from solution import collapse_repeats


def test_the_third_in_a_row_is_dropped():
    assert collapse_repeats("aaab") == "aab"


def test_a_limit_of_one_drops_all_repeats():
    assert collapse_repeats("aabbc", 1) == "abc"


def test_a_character_may_come_back():
    assert collapse_repeats("abab", 1) == "abab"


def test_each_run_is_counted_anew():
    assert collapse_repeats("xxxxyyyy") == "xxyy"
