"""The rubric tree: names, weights, gates, and no silent NaN."""

import math

import pytest

from env_lib.rubric import Gate, Leaf, Rubric, WeightedSum, table


def is_tidy(facts):
    return facts["tidy"]


def is_fast(facts):
    return facts["fast"]


class Counting(Rubric):
    """Remembers what it saw, and forgets it on reset."""

    def __init__(self):
        self.seen = 0

    def score(self, facts):
        self.seen += 1
        return float(self.seen)

    def reset(self):
        self.seen = 0


def test_components_are_weighted_named_in_order_and_add_up():
    tree = WeightedSum(tidy=(0.3, is_tidy), fast=(-0.1, is_fast))
    parts = tree.components({"tidy": 1.0, "fast": 3.0})
    assert parts == {"tidy": 0.3, "fast": -0.1 * 3.0}
    assert list(parts) == ["tidy", "fast"]
    assert tree.score({"tidy": 1.0, "fast": 3.0}) == sum(parts.values())


def test_the_reward_table_multiplies_weights_down_to_the_leaves():
    tree = WeightedSum(style=(2.0, WeightedSum(tidy=(0.5, is_tidy), fast=(-1.0, is_fast))))
    assert table(tree) == {"style.tidy": 1.0, "style.fast": -2.0}


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_a_score_that_is_not_finite_raises_with_the_statements_name(bad):
    with pytest.raises(ValueError, match="is_tidy"):
        WeightedSum(tidy=(1.0, is_tidy)).score({"tidy": bad})


def test_reset_reaches_every_child_also_behind_gates():
    first, second, gate = Counting(), Counting(), Counting()
    tree = WeightedSum(a=(1.0, first), b=(1.0, WeightedSum(c=(1.0, Gate(gate, second)))))
    tree.score({})
    tree.reset()
    assert (first.seen, second.seen, gate.seen) == (0, 0, 0)


def test_a_gate_pays_from_its_threshold_on():
    gated = Gate(Leaf(is_tidy), Leaf(is_fast), threshold=0.5)
    assert gated.score({"tidy": 0.5, "fast": 2.0}) == 2.0
    assert gated.score({"tidy": 0.4, "fast": 2.0}) == 0.0
    assert table(WeightedSum(x=(3.0, gated))) == {"x": 3.0}
