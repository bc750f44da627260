"""The reward of repair, in the order in which it pays.

| component | pays |
| --- | --- |
| `tests_gained` | +2 a visible test that passes for the first time, -2 where it fails at the end |
| `no_gain` | -0.5 an edit after which no more tests pass than before |
| `tests_broken` | -1 a visible test that passed before the edit and fails after it |
| `syntax_error` | -2 code that cannot be read or imported |
| `timeout` | -3 tests that do not end in time |
| `cheating` | -3 reaching for the tests, runner or process; special-casing the tests' inputs |
| `step` | -0.1 each step |
| `invalid_action` | -0.5 an answer that is no action, or an edit that does not apply |
| `solved` | at the end: +10 all visible and all hidden tests pass, +3 all visible ones alone |
| `gave_up` | +1 on a task whose tests contradict each other, -2 elsewhere |

Code that crashes or breaks the sandbox's protocol fails its tests and pays no penalty of its own.
`invalid_action` is an addition to the usual table: without it, an answer that does nothing would
cost as little as looking.

An edit that reaches for the tests, runner or process is refused and costs -3.6 in all: `cheating`,
`invalid_action` and `step`. From then on `solved` pays nothing, whatever the program becomes.

The count of passing tests is a high-water mark: breaking and mending again pays nothing. At the end
of an episode, gains of tests that fail again are taken back; where it is not solved, all gains are
where some came while the program held a special case, or holds one now, and where it passes tests
that contradict each other.
"""

from __future__ import annotations

from dataclasses import dataclass

from env_lib.rubric import WeightedSum

VISIBLE_TESTS = 4
"""Visible tests of every bundled task."""


@dataclass(slots=True)
class StepFacts:
    """What the rubric is told of one step; scores are made from nothing else."""

    kind: str
    edited: bool = False
    gained: int = 0
    """Visible tests that pass for the first time in the episode; at its end less those lost again,
    and less all of them for a special case."""
    improved: bool = False
    broken: int = 0
    error: str = ""
    """"syntax", "import", "timeout", "crash", "protocol" or "" as the sandbox reports it."""
    cheated: bool = False
    barred: bool = False
    """Whether an earlier step cheated: the episode cannot be solved any more."""
    valid: bool = True
    last: bool = False
    visible_pass: bool = False
    hidden_pass: bool = False
    impossible: bool = False


def tests_were_gained(f: StepFacts) -> float:
    """The number of visible tests that pass for the first time."""
    return float(f.gained)


def nothing_was_gained(f: StepFacts) -> float:
    """1 where an edit did not raise the count of passing tests."""
    return float(f.edited and not f.improved)


def tests_were_broken(f: StepFacts) -> float:
    """The number of visible tests that an edit broke."""
    return float(f.broken)


def code_is_unreadable(f: StepFacts) -> float:
    """1 where the edited code cannot be read or imported."""
    return float(f.edited and f.error in ("syntax", "import"))


def tests_did_not_end(f: StepFacts) -> float:
    """1 where the tests of the edited code did not end in time."""
    return float(f.edited and f.error == "timeout")


def it_cheated(f: StepFacts) -> float:
    """1 where the edit reaches for the tests, or fits their inputs alone."""
    return float(f.cheated)


def made_a_step(f: StepFacts) -> float:
    """1 always."""
    return 1.0


def was_no_action(f: StepFacts) -> float:
    """1 where the answer was no action or could not be carried out."""
    return float(not f.valid)


def it_is_solved(f: StepFacts) -> float:
    """At the end 1 where all tests pass, 0.3 where the visible ones alone do; never by cheating."""
    if not f.last or not f.visible_pass or f.cheated or f.barred:
        return 0.0
    return 1.0 if f.hidden_pass else 0.3


def gave_up_rightly(f: StepFacts) -> float:
    """1 for giving up on an impossible task, -2 for giving up on another."""
    return (1.0 if f.impossible else -2.0) if f.kind == "give_up" else 0.0


def repair_rubric() -> WeightedSum:
    """Build the tree; the weights are the reward table."""
    return WeightedSum(
        tests_gained=(2.0, tests_were_gained),
        no_gain=(-0.5, nothing_was_gained),
        tests_broken=(-1.0, tests_were_broken),
        syntax_error=(-2.0, code_is_unreadable),
        timeout=(-3.0, tests_did_not_end),
        cheating=(-3.0, it_cheated),
        step=(-0.1, made_a_step),
        invalid_action=(-0.5, was_no_action),
        solved=(10.0, it_is_solved),
        gave_up=(1.0, gave_up_rightly),
    )


def reward_range(tests: int) -> tuple[float, float]:
    """Return the least and the most that one step can pay with so many visible tests.

    Least: the last step runs into the time limit and fails every test, after all were gained by a
    special case. Most: the last step makes every test pass for the first time, and solves.
    """
    pays = repair_rubric().weights
    least = pays["timeout"] + pays["cheating"] + pays["no_gain"] + pays["step"]
    least += tests * (pays["tests_broken"] - pays["tests_gained"])
    return least, tests * pays["tests_gained"] + pays["step"] + pays["solved"]
