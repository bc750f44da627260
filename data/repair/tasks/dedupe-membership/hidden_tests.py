from hypothesis import given, settings
from hypothesis import strategies as st
from solution import unique

ITEMS = st.lists(st.sampled_from("abcd"), max_size=8)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS)
def test_items_equal_the_keys_of_a_dict(items):
    assert unique(items) == list(dict.fromkeys(items))


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(ITEMS)
def test_items_stand_by_their_first_place(items):
    assert unique(items) == sorted(set(items), key=items.index)


def test_case_matters():
    assert unique(["a", "A"]) == ["a", "A"]


def test_an_empty_item_is_an_item():
    assert unique(["", "a", ""]) == ["", "a"]
