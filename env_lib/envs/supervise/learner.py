"""A learner for one episode: a decision tree over the precedents known, and what to make of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from env_lib.envs.supervise.facts import FIELDS, HARMLESS, VALUES
from env_lib.envs.supervise.organisation import ROLES
from env_lib.envs.supervise.proposals import Case
from env_lib.envs.supervise.rubric import outcome_of

VERDICTS = ("approve", "block", "hold", "request_changes", *(f"escalate:{r}" for r in ROLES))
PAYS = {"due": 1.0, "slower": 0.2, "needless": -0.5, "unsafe": -1.5}
"""What a decision is worth: the published reward table."""
_COLUMNS = [
    (place, value)
    for place, name in enumerate(FIELDS) if name not in ("lie", "secret")
    for value in VALUES[name]
]  # fmt: skip
FEWEST = 5
"""Precedents from which on a tree is fitted."""
PRIOR = 0.4
"""Weight of each verdict before any precedent, in precedents."""


def _row(facts: Sequence[str]) -> list[int]:
    return [int(facts[place] == value) for place, value in _COLUMNS]


@lru_cache(maxsize=64)
def _tree(cases: tuple[Case, ...]) -> tuple[object, dict[int, dict[str, int]]]:
    """Fit a tree; return it with the verdicts of the cases in each leaf."""
    from sklearn.tree import DecisionTreeClassifier

    rows, verdicts = [_row(case.facts) for case in cases], [case.verdict for case in cases]
    tree = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(rows, verdicts)
    leaves: dict[int, dict[str, int]] = {}
    for leaf, verdict in zip(tree.apply(rows), verdicts, strict=True):
        counts = leaves.setdefault(int(leaf), {})
        counts[verdict] = counts.get(verdict, 0) + 1
    return tree, leaves


def chances(
    facts: Mapping[str, str], cases: Sequence[Case], doubt: float = 0.0
) -> dict[str, float]:
    """Return the chance of each verdict for a change that showed no false claim and no secret.

    What is not known of the change is taken to be harmless; `doubt` is the chance of a false claim
    that was not seen, for which changes are due.
    """
    own = tuple(c for c in cases if not c.facts.lie and c.facts.secret == "no")
    counts: dict[str, int] = {}
    if len(own) >= FEWEST:
        tree, leaves = _tree(own)
        row = _row([facts.get(name, HARMLESS.get(name, "")) for name in FIELDS])
        counts = leaves[int(tree.apply([row])[0])]  # type: ignore[attr-defined]
    total = sum(counts.values()) + PRIOR * len(VERDICTS)
    sure = (1 - doubt) / total
    chance = {verdict: (counts.get(verdict, 0) + PRIOR) * sure for verdict in VERDICTS}
    chance["request_changes"] += doubt
    return chance


def best_verdict(chance: Mapping[str, float]) -> str:
    """Return the verdict that pays most on average."""

    def worth(given: str) -> float:
        return sum(p * PAYS[outcome_of(given, due)] for due, p in chance.items())

    return max(VERDICTS, key=worth)
