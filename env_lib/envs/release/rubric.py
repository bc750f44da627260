"""The reward of release, in the order in which it pays; each part pays once, 1.0 in all.

| component | pays |
| --- | --- |
| `ci_repair` | +0.2 unit tests pass for the first time; taken back if they fail at the end |
| `causal_diagnosis` | +0.15 the causal commit is submitted |
| `minimal_repair` | +0.1 x lines of the reference patch / lines changed, at the decision |
| `blast_radius` | +0.15 x F1 of the submitted set of impacted services |
| `targeted_validation` | +0.15 x F1 of services whose contracts were run on what is decided |
| `decision` | +0.2 the right decision for the repository as it stands |
| `owner_escalation` | +0.05 with the right decision, the right owner or nobody is notified |
| `broken_contract_shipped` | -1.0 a broken contract or an unsafe dependency is shipped |
| `no_validation` | -0.2 a decision on failing unit tests, or with no impacted contract run |
| `tests_edited` | -0.5 an attempt to edit tests or contracts, which is refused |
| `step` | -0.01 each step |
| `invalid_action` | -0.05 an answer that is no action, or one that cannot be carried out |
| `out_of_steps` | -0.3 no decision within the steps |

Nothing but the first submission of each kind is judged; words of a reason or summary never are.
Unit tests count as passing where they also pass for inputs that are not shown.
`canary` and `request_owner_approval` on a broken contract earn neither `decision` nor
`owner_escalation`, and are no ship here: who approves still decides, and a canary reaches few. The
held-out rate `unsafe_ship` counts a canary too.
"""

from __future__ import annotations

from dataclasses import dataclass

from env_lib.rubric import WeightedSum


@dataclass(slots=True)
class StepFacts:
    """What the rubric is told of one step; scores are made from nothing else."""

    kind: str
    valid: bool = True
    repaired_now: bool = False
    """Unit tests pass for the first time in the episode."""
    repair_lost: bool = False
    """The episode ends with failing unit tests that had passed."""
    causal_found: bool = False
    blast_f1: float = 0.0
    decided: bool = False
    repaired: bool = False
    """Unit tests pass as the decision is made."""
    smallness: float = 0.0
    validated_f1: float = 0.0
    validated: bool = False
    decision_right: bool = False
    owner_right: bool = False
    shipped_broken: bool = False
    tampered: bool = False
    out_of_steps: bool = False


def unit_tests_were_repaired(f: StepFacts) -> float:
    """1 at the first pass, -1 where it is lost at the end."""
    return float(f.repaired_now) - float(f.repair_lost)


def causal_commit_was_found(f: StepFacts) -> float:
    """1 where the causal commit is submitted."""
    return float(f.causal_found)


def repair_is_small(f: StepFacts) -> float:
    """Lines of the reference patch by lines changed, once, behind passing unit tests."""
    return f.smallness if f.decided and f.repaired else 0.0


def blast_radius_is_right(f: StepFacts) -> float:
    """F1 of the submitted set."""
    return f.blast_f1


def right_contracts_were_run(f: StepFacts) -> float:
    """F1 of the validated services, behind passing unit tests."""
    return f.validated_f1 if f.decided and f.repaired else 0.0


def decided_rightly(f: StepFacts) -> float:
    """1 for the right decision behind passing unit tests."""
    return float(f.decided and f.repaired and f.decision_right)


def notified_the_owner(f: StepFacts) -> float:
    """1 for the right owner with the right decision."""
    return float(f.decided and f.repaired and f.decision_right and f.owner_right)


def shipped_what_is_broken(f: StepFacts) -> float:
    """1 for shipping a broken contract or an unsafe dependency."""
    return float(f.decided and f.shipped_broken)


def decided_unseen(f: StepFacts) -> float:
    """1 for a decision with no validation behind it."""
    return float(f.decided and not (f.validated and f.repaired))


def reached_for_tests(f: StepFacts) -> float:
    """1 for an attempt to edit tests or contracts."""
    return float(f.tampered)


def made_a_step(f: StepFacts) -> float:
    """1 always."""
    return 1.0


def was_no_action(f: StepFacts) -> float:
    """1 where the answer was no action or could not be carried out."""
    return float(not f.valid)


def ran_out_of_steps(f: StepFacts) -> float:
    """1 where the steps are spent without a decision."""
    return float(f.out_of_steps)


def release_rubric() -> WeightedSum:
    """Build the tree; the weights are the reward table."""
    return WeightedSum(
        ci_repair=(0.2, unit_tests_were_repaired),
        causal_diagnosis=(0.15, causal_commit_was_found),
        minimal_repair=(0.1, repair_is_small),
        blast_radius=(0.15, blast_radius_is_right),
        targeted_validation=(0.15, right_contracts_were_run),
        decision=(0.2, decided_rightly),
        owner_escalation=(0.05, notified_the_owner),
        broken_contract_shipped=(-1.0, shipped_what_is_broken),
        no_validation=(-0.2, decided_unseen),
        tests_edited=(-0.5, reached_for_tests),
        step=(-0.01, made_a_step),
        invalid_action=(-0.05, was_no_action),
        out_of_steps=(-0.3, ran_out_of_steps),
    )
