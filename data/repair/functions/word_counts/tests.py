from solution import word_counts


def test_words_are_counted_without_case():
    assert word_counts("Red fox red") == {"red": 2, "fox": 1}


def test_words_of_two_letters_are_left_out():
    assert word_counts("an owl is up") == {"owl": 1}


def test_given_counts_are_added_to():
    assert word_counts("owl cat", {"owl": 4}) == {"owl": 5, "cat": 1}


def test_every_call_starts_afresh():
    word_counts("owl")
    assert word_counts("owl") == {"owl": 1}
