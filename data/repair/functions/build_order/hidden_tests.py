import itertools

from hypothesis import given, settings
from hypothesis import strategies as st
from solution import build_order

NAMES = "abcd"
NEEDS = st.fixed_dictionaries(
    {name: st.lists(st.sampled_from(NAMES), max_size=1) for name in NAMES}
)
RANKED = st.lists(st.booleans(), min_size=6, max_size=6)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(NEEDS)
def test_order_is_the_first_of_all_possible_ones(needs):
    possible = [
        list(order)
        for order in itertools.permutations(NAMES)
        if all(order.index(need) < order.index(name) for name in needs for need in needs[name])
    ]
    assert build_order(needs) == min(possible, default=None)


@settings(max_examples=25, derandomize=True, deadline=None, database=None)
@given(RANKED)
def test_needs_of_later_names_alone_always_have_an_order(chosen):
    pairs = [
        pair for pair, kept in zip(itertools.combinations(NAMES, 2), chosen, strict=True) if kept
    ]
    order = build_order({name: [late for early, late in pairs if early == name] for name in NAMES})
    assert sorted(order) == list(NAMES)
    assert all(order.index(late) < order.index(early) for early, late in pairs)


def test_nothing_to_build():
    assert build_order({}) == []


def test_a_target_that_needs_itself():
    assert build_order({"a": ["a"], "b": []}) is None
