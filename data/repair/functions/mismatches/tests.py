from solution import mismatches


def test_equal_texts_have_none():
    assert mismatches("abc", "abc") == []


def test_each_difference_is_listed():
    assert mismatches("abcd", "xbcy") == [0, 3]


def test_a_longer_right_text_adds_its_tail():
    assert mismatches("ab", "abcd") == [2, 3]


def test_a_longer_left_text_adds_its_tail():
    assert mismatches("abc", "b") == [0, 1, 2]
