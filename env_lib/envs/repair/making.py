"""What an edit makes of a program: an offer of the menu, a named transformation, or free text."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import TYPE_CHECKING

from env_lib.envs.repair.action import RepairAction

if TYPE_CHECKING:
    from env_lib.envs.repair.transforms import Offer

LONGEST = 4000
"""Characters of code that an edit may lead to."""


def edited(action: RepairAction, source: str, menu: Sequence[Offer]) -> tuple[str, str]:
    """Return the code after an edit and "", or "" and what is wrong with the edit."""
    from env_lib.envs.repair.edits import EditError
    from env_lib.envs.repair.transforms import TransformError

    try:
        made = _made(action, source, menu)
    except (EditError, TransformError) as error:
        return "", str(error)
    if made == source:
        return "", "the edit changes nothing"
    if len(made) > LONGEST:
        return "", f"the code would have {len(made)} characters; at most {LONGEST}"
    return made, ""


def _made(action: RepairAction, source: str, menu: Sequence[Offer]) -> str:
    from env_lib.envs.repair.edits import patch, replace
    from env_lib.envs.repair.transforms import TransformError, apply

    if action.action_type == "apply":
        number = action.offer if action.offer is not None else -1
        if not 0 <= number < len(menu):
            raise TransformError(f"offer {number} is not in the menu; it has 0 to {len(menu) - 1}")
        return apply(source, menu[number].transform_id, menu[number].line)
    if action.action_type == "transform":
        return apply(source, action.transform_id or "", action.line or 0)
    if action.action_type == "replace":
        return replace(source, action.search or "", action.replace or "")
    return patch(source, action.diff or "")


def diff_between(source: str, goal: str) -> str:
    """Return the unified diff that leads from one program to another."""
    lines = difflib.unified_diff(
        source.splitlines(keepends=True), goal.splitlines(keepends=True), "a", "b", n=2
    )
    return "".join(lines)
