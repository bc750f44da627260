from solution import common_prefix


def test_the_shared_start_is_found():
    assert common_prefix(["abcd", "abxy"]) == "ab"


def test_the_shortest_word_may_be_the_prefix():
    assert common_prefix(["abc", "ab"]) == "ab"


def test_nothing_is_shared():
    assert common_prefix(["abc", "xbc"]) == ""


def test_no_words_share_nothing():
    assert common_prefix([]) == ""
