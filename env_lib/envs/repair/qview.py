"""What tabular Q-learning sees and does: a key for what is seen, a column for each thing to do.

All is read from observations: what an agent cannot see, the kind of the bug among it, is not there.
In its place stands the kind of the failure, as the first failing test tells it. A column is the
kind of bug that an offer mends, and whether the edit leaves more or fewer smells (see `smells`).
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from env_lib.envs.repair.env import RepairAction, RepairObservation

MOST_LEFT = 3
"""More steps than these are all alike."""
_RAISED = re.compile(r" raised (\w+)")
_VALUES = re.compile(r" (?:returned|is) (.*), expected (?:is )?(.*)", re.DOTALL)
_NAMED = (
    ("subscriptable|out of range|indices must|KeyError", r"\["),
    ("not iterable", r"\bin\b|\("),
    ("operand|not supported|concatenate|division|modulo", r"[-+*/%<>]"),
    ("interpreted as an integer", r"range|\["),
    ("unhashable", r"\[|\bin\b|\{|\.add|set"),
)
"""What an exception complains of, and what is on a line that can raise it."""


def failure(obs: RepairObservation) -> str:
    """Return the kind of the first failure.

    "syntax", "import", "timeout", "crash", the name of an exception, or how the value is wrong:
    "none", "type", "truth", "less", "more", "shorter", "longer", "other", "unclear" where the
    message does not say; "" where all tests pass.
    """
    if obs.error_type or not obs.failed:
        return obs.error_type
    message = obs.failed[0][1]
    raised = _RAISED.search(message)
    if raised:
        return "none" if "NoneType" in message else raised[1]
    values = _VALUES.search(message)
    if not values:
        return "unclear"
    try:
        return _difference(*map(ast.literal_eval, values.groups()))
    except (SyntaxError, ValueError):  # cut short, or no literal
        return "unclear"


def _difference(got: Any, wanted: Any) -> str:
    if got is None or wanted is None:
        return "none"
    if type(got) is not type(wanted):
        return "type"
    if isinstance(got, bool):
        return "truth"
    if isinstance(got, int | float):
        return "less" if got < wanted else "more"
    if len(got) == len(wanted):
        return "other"
    return "shorter" if len(got) < len(wanted) else "longer"


@dataclass
class Memory:
    """What an agent remembers of one episode; a new one for each."""

    tried: dict[str, set[tuple[str, int]]] = field(default_factory=dict)
    """Offers that were taken, by the code that they were taken on."""
    before: tuple[tuple[str, ...], tuple[tuple[str, str], ...]] | None = None
    """What passed and failed before the last edit; None where the last step was no edit."""

    def keys(self, obs: RepairObservation) -> tuple[str, ...]:
        """Return the names of the state, from fine to coarse."""
        some = "none" if not obs.passed else "some" if obs.failed else "all"
        left = min(obs.budget - obs.step, MOST_LEFT)
        how = f"{some}|{self._came_of_it(obs)}|{left}"
        return f"{failure(obs)}|{how}", how

    def _came_of_it(self, obs: RepairObservation) -> str:
        """Say what came of the last edit; "" where the last step was none."""
        if self.before is None:
            return ""
        passed, failed = self.before
        if len(obs.passed) != len(passed):
            return "better" if len(obs.passed) > len(passed) else "worse"
        return "same" if (obs.passed, obs.failed) == (passed, failed) else "moved"

    def choices(self, obs: RepairObservation) -> dict[str, RepairAction]:
        """Return what can be done, one action a column; what was tried on this code is left out."""
        from env_lib.envs.repair.env import RepairAction

        found = {kind: RepairAction(action_type=kind) for kind in ("submit", "give_up")}
        if obs.can_undo:
            found["undo"] = RepairAction(action_type="undo")
        tried = self.tried.get(obs.code, ())
        best: dict[str, tuple[bool, int]] = {}
        for number, offer in enumerate(obs.offers):
            if offer not in tried:
                rank = (not _named(obs, offer[1]), number)
                name = column(obs.code, *offer)
                best[name] = min(rank, best.get(name, rank))
        for name, (_, number) in best.items():
            found[name] = RepairAction(action_type="apply", offer=number)
        return found

    def note(self, obs: RepairObservation, action: RepairAction) -> None:
        """Remember what is done on what was seen."""
        self.before = None
        if action.action_type == "apply" and action.offer is not None:
            self.tried.setdefault(obs.code, set()).add(obs.offers[action.offer])
            self.before = obs.passed, obs.failed


def column(code: str, transform_id: str, line: int) -> str:
    """Return the column of an offer: the kind that it mends, `-` or `+` as smells go or come."""
    from env_lib.envs.repair.smells import smells
    from env_lib.envs.repair.transforms import TransformError, apply, entry_of

    entry = entry_of(transform_id)
    assert entry is not None, transform_id
    try:
        change = smells(apply(code, transform_id, line)) - smells(code)
    except TransformError:
        change = 0
    return f"{entry.kind}{'+' if change > 0 else '-' if change < 0 else ''}"


def _named(obs: RepairObservation, line: int) -> bool:
    """Whether a line holds what the first failing test's exception complains of."""
    message = obs.failed[0][1] if obs.failed else ""
    text = obs.code.splitlines()[line - 1]
    owned = re.search(r"has no attribute '(\w+)'", message)
    if owned:
        return f".{owned[1]}" in text
    return any(re.search(cause, message) and re.search(sign, text) for cause, sign in _NAMED)
