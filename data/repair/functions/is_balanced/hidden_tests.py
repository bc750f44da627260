from hypothesis import given, settings
from hypothesis import strategies as st
from solution import is_balanced

TEXTS = st.text("()[]", max_size=6)
NESTED = st.recursive(st.just(""), lambda inner: st.tuples(inner, inner), max_leaves=6)


def written(tree):
    return "" if tree == "" else f"({written(tree[0])})[{written(tree[1])}]"


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(TEXTS)
def test_balanced_means_that_pairs_cancel_out(text):
    rest = text
    for _ in text:
        rest = rest.replace("()", "").replace("[]", "")
    assert is_balanced(text) is (rest == "")


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NESTED)
def test_what_is_nested_by_hand_is_balanced(tree):
    assert is_balanced(written(tree)) is True


def test_no_brackets_are_balanced():
    assert is_balanced("abc") is True


def test_one_pair_too_few_is_noticed():
    assert is_balanced("(())]") is False
