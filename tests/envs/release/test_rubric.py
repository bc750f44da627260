"""The reward table, one hand-written step a row; and proof that no leaf falls silent unseen."""

import pytest

from env_lib.envs.release import rubric
from env_lib.envs.release.rubric import StepFacts, release_rubric
from env_lib.rubric import Leaf, table

STEP = -0.01
DECIDED = {"decided": True, "repaired": True, "validated": True}
CASES = {
    "a look": (StepFacts("view_log"), {}),
    "the repair": (StepFacts("replace", repaired_now=True), {"ci_repair": 0.2}),
    "the cause": (StepFacts("submit_causal_change", causal_found=True), {"causal_diagnosis": 0.15}),
    "a wrong cause": (StepFacts("submit_causal_change"), {}),
    "half the blast radius": (
        StepFacts("submit_blast_radius", blast_f1=0.5),
        {"blast_radius": 0.075},
    ),
    "no action": (StepFacts("invalid", valid=False), {"invalid_action": -0.05}),
    "tests edited": (
        StepFacts("replace", valid=False, tampered=True),
        {"tests_edited": -0.5, "invalid_action": -0.05},
    ),
    "out of steps": (StepFacts("view_log", out_of_steps=True), {"out_of_steps": -0.3}),
    "the right decision": (
        StepFacts(
            "submit_release_decision", **DECIDED, smallness=1.0, validated_f1=1.0,
            decision_right=True, owner_right=True,
        ),
        {"minimal_repair": 0.1, "targeted_validation": 0.15, "decision": 0.2,
         "owner_escalation": 0.05},
    ),
    "the right decision on failing tests": (
        StepFacts(
            "submit_release_decision", decided=True, smallness=1.0, validated_f1=1.0,
            validated=True, decision_right=True, owner_right=True, repair_lost=True,
        ),
        {"ci_repair": -0.2, "no_validation": -0.2},
    ),
    "a wrong decision, a large patch, the right owner": (
        StepFacts(
            "submit_release_decision", **DECIDED, smallness=0.25, validated_f1=0.5,
            owner_right=True,
        ),
        {"minimal_repair": 0.025, "targeted_validation": 0.075},
    ),
    "a broken contract shipped unseen": (
        StepFacts("submit_release_decision", decided=True, repaired=True, shipped_broken=True),
        {"broken_contract_shipped": -1.0, "no_validation": -0.2},
    ),
}  # fmt: skip


def paid(tree, facts):
    return {name: value for name, value in tree.components(facts).items() if value}


@pytest.mark.parametrize("name", CASES)
def test_a_step_pays_what_the_table_says(name):
    facts, wanted = CASES[name]
    assert paid(release_rubric(), facts) == pytest.approx(wanted | {"step": STEP})


@pytest.mark.parametrize("name", list(release_rubric().children))
def test_a_leaf_that_returned_nothing_would_be_seen(name):
    broken = release_rubric()
    broken.children[name] = Leaf(lambda facts: 0.0)
    changed = [c for c, (f, _) in CASES.items() if paid(broken, f) != paid(release_rubric(), f)]
    assert changed, f"no case tells that {name} is broken"


def test_every_weight_of_the_table_is_in_the_docstring():
    for name, weight in table(release_rubric()).items():
        row = next(line for line in rubric.__doc__.splitlines() if f"`{name}`" in line)
        shown = row.split("|")[2].split()[0]
        assert float(shown) == weight, name


def test_the_parts_that_earn_sum_to_one():
    assert sum(w for w in table(release_rubric()).values() if w > 0) == pytest.approx(1.0)
