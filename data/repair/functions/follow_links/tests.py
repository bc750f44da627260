from solution import follow_links


def test_a_page_without_redirect_is_the_end():
    assert follow_links({"a": "b"}, "c") == "c"


def test_a_chain_is_followed():
    assert follow_links({"a": "b", "b": "c"}, "a") == "c"


def test_three_steps_are_allowed_and_four_are_not():
    links = {"a": "b", "b": "c", "c": "d", "d": "e"}
    assert follow_links(links, "b") == "e"
    assert follow_links(links, "a") is None


def test_a_circle_has_no_end():
    assert follow_links({"a": "b", "b": "a"}, "a", 10) is None
