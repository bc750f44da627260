from solution import title_case


def test_words_start_with_a_capital():
    assert title_case("big RED fox") == "Big Red Fox"


def test_small_words_stay_small():
    assert title_case("tale of the fox") == "Tale of the Fox"


def test_the_first_word_is_always_capitalised():
    assert title_case("the end") == "The End"


def test_a_is_a_small_word():
    assert title_case("such a day") == "Such a Day"
