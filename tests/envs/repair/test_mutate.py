"""Mutants: distinct, readable, of a kind, and mended by exactly one offer."""

import ast
import random

import pytest

from env_lib.envs.repair.mutate import (
    OOD_KINDS,
    MutationKind,
    content_hash,
    higher_order,
    mending,
    mutants,
)
from env_lib.envs.repair.transforms import REGISTRY, apply, offers

FUNCTIONS = {
    "window": '''\
def window(items: list[int], size: int = 3, strict: bool = False) -> int:
    """Adds the best window."""
    if not items:
        return 0
    best = 0
    for i in range(len(items) - size + 1):
        total = sum(items[i : i + size])
        if total > best and (not strict or i >= 1):
            best = total
    return best
''',
    "unique": """\
def unique(items, seen=None):
    if seen is None:
        seen = []
    kept = []
    for item in items:
        if item is None:
            continue
        if item not in seen:
            seen.append(item)
            kept.append(item)
    return kept
""",
    "product": """\
def product(numbers, low, high):
    result = 1
    for number in numbers:
        result *= max(low, min(number, high))
    if result == 0:
        return None
    return result
""",
}
each = pytest.mark.parametrize("source", FUNCTIONS.values(), ids=FUNCTIONS.keys())


@each
def test_every_mutant_is_mended_by_exactly_one_offer(source):
    goal = content_hash(source)
    found = mutants(source)
    if len(found) > 30:  # reads of other variables are the bulk there, and the same as elsewhere
        found = [mutant for mutant in found if mutant.kind != MutationKind.WRONG_VARIABLE]
    for mutant in found:
        good = [o for o in offers(mutant.source) if content_hash(apply(mutant.source, *o)) == goal]
        assert len(good) == 1, (mutant.description, good)
        assert mending(mutant.source, source) == good[0]


@each
def test_mutants_are_distinct_and_other_than_the_original(source):
    hashes = [content_hash(mutant.source) for mutant in mutants(source)]
    assert len({*hashes, content_hash(source)}) == len(hashes) + 1


def test_the_functions_together_show_every_kind():
    found = {mutant.kind for source in FUNCTIONS.values() for mutant in mutants(source)}
    assert found == set(MutationKind)


def test_each_offered_transformation_mends_a_kind_that_some_operator_makes():
    made = {entry.kind for entry in REGISTRY.values() if entry.breaks}
    assert {entry.kind for entry in REGISTRY.values() if entry.offered} == made == set(MutationKind)


def test_a_removed_guard_takes_its_body_along():
    gone = [m for m in mutants(FUNCTIONS["window"]) if m.kind == MutationKind.REMOVED_GUARD]
    assert [mutant.line for mutant in gone] == [3]
    assert "return 0" not in gone[0].source


def test_a_mutation_keeps_comments():
    source = "def f(a, b):\n    return a - b  # signed\n"
    assert len(mutants(source)) == 3
    assert all("# signed" in mutant.source for mutant in mutants(source))


@pytest.mark.parametrize("order", [2, 3])
def test_a_mutant_of_higher_order_is_mended_step_by_step(order):
    source = FUNCTIONS["window"]
    mutant = higher_order(source, random.Random(order), order)
    assert len(mutant.steps) == len(mutant.kinds) == order
    states = [source, *(step.source for step in mutant.steps)]
    current = mutant.source
    for goal in reversed(states[:-1]):
        current = apply(current, *mending(current, goal))
    assert content_hash(current) == content_hash(source)


def test_no_single_offer_mends_a_mutant_of_second_order():
    source = FUNCTIONS["window"]
    for seed in range(5):
        assert mending(higher_order(source, random.Random(seed), 2).source, source) is None


def test_the_same_seed_draws_the_same_mutant():
    drawn = [higher_order(FUNCTIONS["unique"], random.Random(7), 3) for _ in range(2)]
    assert drawn[0] == drawn[1]


def test_kinds_can_be_kept_out_of_a_draw():
    kept = set(MutationKind) - OOD_KINDS
    for seed in range(5):
        drawn = higher_order(FUNCTIONS["window"], random.Random(seed), 3, kept)
        assert not OOD_KINDS & set(drawn.kinds)
        assert drawn.kind.split("+") == [str(kind) for kind in drawn.kinds]


def test_a_function_without_room_gives_no_mutant_of_higher_order():
    assert higher_order("def f():\n    return 5\n", random.Random(0), 3) is None


def test_another_order_is_refused():
    with pytest.raises(ValueError, match="should be 2 or 3"):
        higher_order(FUNCTIONS["unique"], random.Random(0), 4)


def test_a_corpus_of_64_functions_has_5000_mutants():
    """79 a function are asked for; singles and few draws of a middling function give more."""
    source = FUNCTIONS["window"]
    found = {content_hash(mutant.source) for mutant in mutants(source)}
    rng = random.Random(0)
    for order in (2, 3):
        found |= {content_hash(higher_order(source, rng, order).source) for _ in range(25)}
    assert len(found) >= 5_000 / 64


def test_equal_trees_have_equal_hashes_whatever_the_layout():
    assert content_hash("x=(1+2) # sum\n") == content_hash("x = 1 + 2\n")


@pytest.mark.parametrize(
    ("one", "other"),
    [("x = 1", "x = 2"), ("x = None", "x = 0"), ("f(a, b)", "f(b, a)"), ("x = '1'", "x = 1")],
    ids=["value", "none", "order", "type"],
)
def test_other_trees_have_other_hashes(one, other):
    assert content_hash(one) != content_hash(other)


def test_every_mutant_reads_as_python_in_awkward_layout():
    source = "def f(a,b):\n  if(not(a)):return-1\n  return b if a else-1\n"
    found = mutants(source)
    assert len(found) > 4
    for mutant in found:
        ast.parse(mutant.source)
