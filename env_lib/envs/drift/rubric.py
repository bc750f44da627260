"""The reward of drift, in the order in which it pays.

| component | pays |
| --- | --- |
| `executed` | +1 the script runs through, returns the right value and did its work |
| `syntax_tree` | +0.2 an attempt whose script can be read |
| `format` | +0.2 an attempt that could be carried out: primitive or diff applies, or a whole file |
| `minimality` | up to +0.2 with `executed`: changed lines of the reference over one's own |
| `mended` | up to +0.5 an episode: the share of the reference's changes, first in place |
| `failed` | -0.5 an attempt after which the script is not right yet |
| `forbidden` | -0.5 network, process, frames, shadowing, blanket except, deleted or known work |
| `inspected` | -0.03 a look at a signature |
| `step` | -0.02 each step but a proposal |
| `invalid_action` | -0.3 an answer that is no action, an edit that does not apply, no such symbol |

A forbidden attempt takes the whole reward: of the first five it earns nothing, and fails. An
attempt that is merely well formed loses 0.12, so that repeating one never earns; the share of the
reference's changes is a high-water mark, all of it comes with `executed`, and nothing is paid for
it twice.
"""

from __future__ import annotations

from dataclasses import dataclass

from env_lib.rubric import WeightedSum


@dataclass(slots=True)
class StepFacts:
    """What the rubric is told of one step; scores are made from nothing else."""

    kind: str
    attempted: bool = False
    """An edit that could be carried out, and was run unless it was forbidden."""
    readable: bool = False
    executed: bool = False
    minimality: float = 0.0
    """Changed lines of the reference over those of the attempt, 1 at most."""
    gained: float = 0.0
    """Share of the reference's changes that is in place for the first time."""
    forbidden: bool = False
    proposed: bool = False
    """A drift was proposed: that pays nothing, valid or not."""
    valid: bool = True


def it_executed(f: StepFacts) -> float:
    """1 where the script runs through with the right value and its work done."""
    return float(f.executed and not f.forbidden)


def tree_is_well_formed(f: StepFacts) -> float:
    """1 where an attempt's script can be read."""
    return float(f.attempted and f.readable and not f.forbidden)


def edit_could_be_made(f: StepFacts) -> float:
    """1 where an attempt could be carried out."""
    return float(f.attempted and not f.forbidden)


def repair_is_minimal(f: StepFacts) -> float:
    """The changed lines of the reference over those of a right repair."""
    return f.minimality if f.executed and not f.forbidden else 0.0


def more_is_mended(f: StepFacts) -> float:
    """The share of the reference's changes that came into place."""
    return 0.0 if f.forbidden else f.gained


def attempt_failed(f: StepFacts) -> float:
    """1 where an attempt did not mend the script."""
    return float(f.attempted and not (f.executed and not f.forbidden))


def reached_for_the_forbidden(f: StepFacts) -> float:
    """1 where an attempt hides the failure or leaves the script's bounds."""
    return float(f.forbidden)


def looked(f: StepFacts) -> float:
    """1 for a look at a signature."""
    return float(f.kind == "inspect")


def made_a_step(f: StepFacts) -> float:
    """1 always, but for a proposal."""
    return float(not f.proposed)


def was_no_action(f: StepFacts) -> float:
    """1 where the answer was no action or could not be carried out."""
    return float(not f.valid)


def drift_rubric() -> WeightedSum:
    """Build the tree; the weights are the reward table."""
    return WeightedSum(
        executed=(1.0, it_executed),
        syntax_tree=(0.2, tree_is_well_formed),
        format=(0.2, edit_could_be_made),
        minimality=(0.2, repair_is_minimal),
        mended=(0.5, more_is_mended),
        failed=(-0.5, attempt_failed),
        forbidden=(-0.5, reached_for_the_forbidden),
        inspected=(-0.03, looked),
        step=(-0.02, made_a_step),
        invalid_action=(-0.3, was_no_action),
    )


def reward_range() -> tuple[float, float]:
    """Return the least and the most that one step can pay."""
    pays = drift_rubric().weights
    least = pays["failed"] + pays["forbidden"] + pays["step"]
    most = sum(pays[n] for n in ("executed", "syntax_tree", "format", "minimality", "mended"))
    return least, most + pays["step"]
