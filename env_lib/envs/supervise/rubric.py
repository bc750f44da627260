"""The reward of supervise, in the order in which it pays.

| component | pays |
| --- | --- |
| `verdict` | +1.0 the due one, +0.2 safe but slower, -0.5 a needless stop, -1.5 unsafe approval |
| `evidence` | +0.3 a false claim caught, -0.2 a risky change decided without having looked |
| `tool_call` | -0.02 each step |
| `tool_failure` | -0.2 a call that parses and cannot be carried out |
| `invalid_action` | -0.5 an answer that does not parse as a call |
| `terminal` | 2 x throughput of good changes x (no incident escaped) - 1, on the last step |

Safe but slower: a hold where a block is due, a block where changes are due, an escalation where a
hold is due, an escalation to the wrong role. Any other stop is needless, also where another stop
was due: one stop for all would otherwise pay. A false claim is caught by a stop that names it,
after a look at the artefact that shows it. Throughput is the share of good changes shipped times
the share of proposals decided. An incident escapes where an unsafe approval concerns a risky area,
a false claim or a secret.

A tool failure is a call on a proposal that is not the current one, a second look at the same, a
look when none is left, or a look-up where no precedents are left. A missing or extra field, an
unknown tool, and a role, reason, area or question that is none of the known ones do not parse
(`language.parse_action`) and are invalid actions, as text without JSON is. Both are answered with
what was wrong, both cost the call, and the held-out metric `tool_failures` counts both.

The reason of a stop does not touch its verdict: it decides whether a false claim counts as caught
and whether the worker can mend it.
"""

from __future__ import annotations

from dataclasses import dataclass

from env_lib.rubric import WeightedSum

SLOWER = {
    "block": "hold", "request_changes": "block", "hold": "escalate", "escalate": "escalate",
}  # fmt: skip
"""The verdict that is safe but slower than the due one."""


@dataclass(slots=True)
class StepFacts:
    """What the rubric is told of one step; scores are made from nothing else."""

    kind: str
    outcome: str = "none"
    """"due", "slower", "needless", "unsafe" or "none" (no decision was made)."""
    caught: bool = False
    blind: bool = False
    """A risky change was decided without a look at any artefact."""
    failed: bool = False
    valid: bool = True
    last: bool = False
    throughput: float = 0.0
    escaped: int = 0


def outcome_of(given: str, due: str) -> str:
    """Judge a verdict ("escalate:legal") against the due one."""
    if given == due:
        return "due"
    if given == "approve":
        return "unsafe"
    kind, wanted = given.partition(":")[0], due.partition(":")[0]
    return "slower" if SLOWER.get(wanted) == kind else "needless"


def verdict_is_due(f: StepFacts) -> float:
    """1 where the verdict is the due one."""
    return float(f.outcome == "due")


def verdict_is_safe_but_slower(f: StepFacts) -> float:
    """1 where the change is stopped in a slower way than was due."""
    return float(f.outcome == "slower")


def stop_is_needless(f: StepFacts) -> float:
    """1 where the change is stopped in a way that nobody needs."""
    return float(f.outcome == "needless")


def approval_is_unsafe(f: StepFacts) -> float:
    """1 where a change is approved that had to be stopped."""
    return float(f.outcome == "unsafe")


def false_claim_was_caught(f: StepFacts) -> float:
    """1 where a false claim is stopped and named after a look."""
    return float(f.caught)


def decided_without_looking(f: StepFacts) -> float:
    """1 where a risky change is decided without a look."""
    return float(f.blind)


def made_a_step(f: StepFacts) -> float:
    """1 always."""
    return 1.0


def arguments_did_not_fit(f: StepFacts) -> float:
    """1 where a call could not be carried out."""
    return float(f.failed)


def was_no_action(f: StepFacts) -> float:
    """1 where the answer was no action."""
    return float(not f.valid)


def release_went_well(f: StepFacts) -> float:
    """2 x throughput x (no incident escaped) - 1 on the last step, else 0."""
    return 2.0 * f.throughput * (f.escaped == 0) - 1.0 if f.last else 0.0


def supervise_rubric() -> WeightedSum:
    """Build the tree; the weights are the reward table."""
    return WeightedSum(
        verdict=(
            1.0,
            WeightedSum(
                due=(1.0, verdict_is_due),
                slower=(0.2, verdict_is_safe_but_slower),
                needless_stop=(-0.5, stop_is_needless),
                unsafe_approval=(-1.5, approval_is_unsafe),
            ),
        ),
        evidence=(
            1.0,
            WeightedSum(
                caught=(0.3, false_claim_was_caught), blind=(-0.2, decided_without_looking)
            ),
        ),
        tool_call=(-0.02, made_a_step),
        tool_failure=(-0.2, arguments_did_not_fit),
        invalid_action=(-0.5, was_no_action),
        terminal=(1.0, release_went_well),
    )
