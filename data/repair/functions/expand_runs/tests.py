from solution import expand_runs


def test_a_number_repeats_the_next_character():
    assert expand_runs("3ab") == "aaab"


def test_a_number_may_have_two_digits():
    assert expand_runs("12x") == "x" * 12


def test_every_number_counts_for_one_character():
    assert expand_runs("2a3b") == "aabbb"


def test_zero_means_once():
    assert expand_runs("0ab") == "ab"
