from hypothesis import given, settings
from hypothesis import strategies as st
from solution import top_names

SCORES = st.dictionaries(st.sampled_from("abcde"), st.integers(-1, 3), max_size=5)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SCORES, st.integers(0, 4))
def test_names_equal_those_of_picking_the_best_in_turn(scores, count):
    rest, picked = {name: score for name, score in scores.items() if score > 0}, []
    while rest and len(picked) < count:
        best = min(name for name in rest if rest[name] == max(rest.values()))
        picked.append(best)
        del rest[best]
    assert top_names(scores, count) == picked


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(SCORES)
def test_two_names_by_default(scores):
    positive = sum(score > 0 for score in scores.values())
    assert len(top_names(scores)) == min(positive, 2)


def test_no_scores():
    assert top_names({}) == []


def test_negative_scores_are_left_out():
    assert top_names({"a": -1, "b": -2}) == []
