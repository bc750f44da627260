"""The reward of triage, in the order in which it pays.

| component | pays |
| --- | --- |
| `action_match` | +1.0 the maintainers' action, +0.4 an acceptable one, 0 abstained, -0.5 wrong |
| `label_overlap` | +0.4 x Jaccard of predicted and true labels |
| `spam_resistance` | +0.8 spam closed, -0.7 spam engaged (label, merge, assign), -4.0 real closed |
| `reputation_alignment` | +0.2 low reputation closed or trust labelled, -0.2 the reverse |
| `info_request` | +0.15 first request on an under-described thread, -0.15 needless or repeated |
| `repeat_action_penalty` | -0.15 the same action on the same thread within 5 steps |
| `workflow_efficiency` | -0.02 each step |
| `invalid_action` | -0.5 an answer that is no action, or that cannot be carried out |
| `terminal` | 2 x queue completion x spam-recall gate - 1, on the last step |

The closing of a real thread costs 4.0 and not 0.7: at 65 % spam "close everything" would otherwise
pay, and closing a real report is the worst thing that can happen (a trusted author's costs 0.2
more).
"""

from __future__ import annotations

from dataclasses import dataclass

from env_lib.rubric import WeightedSum


@dataclass(slots=True)
class StepFacts:
    """What the rubric is told of one step; scores are made from nothing else."""

    kind: str
    outcome: str = "none"
    """"same", "acceptable", "abstained", "wrong" or "none" (no decision was made)."""
    jaccard: float = 0.0
    spam: bool = False
    reputation: str = "unknown"
    """"low", "trusted" or "unknown"."""
    decided: bool = False
    """The action was carried out on a thread that was not decided before."""
    under_described: bool = False
    repeated: bool = False
    requested_before: bool = False
    valid: bool = True
    last: bool = False
    completion: float = 0.0
    spam_gate: float = 1.0


def did_as_the_maintainers(f: StepFacts) -> float:
    """1 where the maintainers did the same."""
    return float(f.outcome == "same")


def did_something_acceptable(f: StepFacts) -> float:
    """1 where the action is an acceptable alternative."""
    return float(f.outcome == "acceptable")


def did_something_wrong(f: StepFacts) -> float:
    """1 where the action is neither."""
    return float(f.outcome == "wrong")


def labels_overlap(f: StepFacts) -> float:
    """Jaccard index of predicted and true labels, in [0, 1]."""
    return f.jaccard


def spam_was_closed(f: StepFacts) -> float:
    """1 where spam was closed."""
    return float(f.decided and f.spam and f.kind == "close_spam")


def spam_was_engaged(f: StepFacts) -> float:
    """1 where spam was labelled, merged or assigned."""
    return float(f.decided and f.spam and f.kind in ("label", "merge_pr", "assign"))


def real_thread_was_closed(f: StepFacts) -> float:
    """1 where a real thread was closed as spam."""
    return float(f.decided and not f.spam and f.kind == "close_spam")


def treated_the_author_rightly(f: StepFacts) -> float:
    """+1 low reputation closed or trust labelled, -1 the reverse."""
    if not f.decided or f.kind not in ("close_spam", "label") or f.reputation == "unknown":
        return 0.0
    return 1.0 if (f.kind == "close_spam") == (f.reputation == "low") else -1.0


def asked_where_needed(f: StepFacts) -> float:
    """+1 first request on an under-described thread, -1 needless or repeated."""
    if f.kind != "request_info":
        return 0.0
    return 1.0 if f.under_described and not f.requested_before else -1.0


def repeated_itself(f: StepFacts) -> float:
    """1 where the same action hit the same thread within 5 steps."""
    return float(f.repeated)


def made_a_step(f: StepFacts) -> float:
    """1 always."""
    return 1.0


def was_no_action(f: StepFacts) -> float:
    """1 where the answer was no action or could not be carried out."""
    return float(not f.valid)


def finished_the_shift(f: StepFacts) -> float:
    """2 x completion x spam-recall gate - 1 on the last step, else 0."""
    return 2.0 * f.completion * f.spam_gate - 1.0 if f.last else 0.0


def triage_rubric() -> WeightedSum:
    """Build the tree; the weights are the reward table."""
    return WeightedSum(
        action_match=(
            1.0,
            WeightedSum(
                same=(1.0, did_as_the_maintainers),
                acceptable=(0.4, did_something_acceptable),
                wrong=(-0.5, did_something_wrong),
            ),
        ),
        label_overlap=(0.4, labels_overlap),
        spam_resistance=(
            1.0,
            WeightedSum(
                spam_closed=(0.8, spam_was_closed),
                spam_engaged=(-0.7, spam_was_engaged),
                real_closed=(-4.0, real_thread_was_closed),
            ),
        ),
        reputation_alignment=(0.2, treated_the_author_rightly),
        info_request=(0.15, asked_where_needed),
        repeat_action_penalty=(-0.15, repeated_itself),
        workflow_efficiency=(-0.02, made_a_step),
        invalid_action=(-0.5, was_no_action),
        terminal=(1.0, finished_the_shift),
    )
