from solution import page_window


def test_the_current_page_is_in_the_middle():
    assert page_window(6, 20) == [4, 5, 6, 7, 8]


def test_the_first_pages():
    assert page_window(1, 20) == [1, 2, 3, 4, 5]


def test_the_last_pages():
    assert page_window(20, 20) == [16, 17, 18, 19, 20]


def test_few_pages_are_all_shown():
    assert page_window(2, 3) == [1, 2, 3]
    assert page_window(5, 9, 3) == [4, 5, 6]
