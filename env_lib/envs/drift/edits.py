"""What an action makes of the script: a primitive, a unified diff, or the whole file."""

from __future__ import annotations

import ast
import difflib
import re
from typing import Any

from env_lib.envs.drift.action import DriftAction
from env_lib.envs.drift.primitives import PrimitiveError
from env_lib.envs.drift.primitives import apply as applied
from env_lib.envs.drift.records import Change

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@")


def change_of(action: DriftAction) -> Change:
    """Return the repair primitive that an `apply` names."""
    return Change(action.primitive or "", action.target or "", action.old or "", action.new or "")


def action_of(change: Change) -> DriftAction:
    """Return the `apply` of a repair primitive, not validated: an expression may be long."""
    fields: dict[str, Any] = {"primitive": change.primitive, "old": change.old, "new": change.new}
    if change.target:
        fields["target"] = change.target
    return DriftAction.model_construct(action_type="apply", **fields)


def words_of(action: DriftAction) -> str:
    """Return an attempt in a few words, for the notes of what was tried."""
    if action.action_type != "apply":
        return action.action_type
    return f"{action.primitive} {action.old} {action.new}".rstrip()


def edited(action: DriftAction, source: str) -> tuple[str, str]:
    """Return the script after an edit and "", or "" and what is wrong with the edit."""
    try:
        if action.action_type == "apply":
            made = applied(source, change_of(action))
        elif action.action_type == "patch":
            made = patched(source, action.diff or "")
        else:
            made = action.script or ""
    except PrimitiveError as error:
        return "", str(error)
    if made.strip() == source.strip():
        return "", "the edit changes nothing"
    return made, ""


def is_python(source: str) -> bool:
    """Whether a script can be read."""
    try:
        ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def patched(source: str, diff: str) -> str:
    """Return the script after a unified diff of one file, whose header is not looked at.

    Raises:
        PrimitiveError: no hunk, or one that does not apply; says which and why.
    """
    lines, done, used = source.splitlines(), [], 0
    hunks = _hunks(diff)
    if not hunks:
        raise PrimitiveError("the diff has no hunk: a line such as `@@ -3,2 +3,2 @@` begins one")
    for number, (start, old, new) in enumerate(hunks, 1):
        at = _place(lines, old, start, used)
        if at is None:
            first = old[0] if old else ""
            raise PrimitiveError(f"hunk {number} does not apply: no lines as from {first!r}")
        done += [*lines[used:at], *new]
        used = at + len(old)
    return "\n".join([*done, *lines[used:]]) + "\n"


def _hunks(diff: str) -> list[tuple[int, list[str], list[str]]]:
    found: list[tuple[int, list[str], list[str]]] = []
    for line in diff.splitlines():
        head = _HUNK.match(line)
        if head:
            found.append((int(head.group(1)), [], []))
        elif found and not line.startswith(("--- ", "+++ ", "\\")):
            _, old, new = found[-1]
            if line[:1] in ("-", " ", ""):
                old.append(line[1:])
            if line[:1] in ("+", " ", ""):
                new.append(line[1:])
    return found


def _place(lines: list[str], old: list[str], start: int, used: int) -> int | None:
    """Return where the old lines stand: at the stated place, else at the only one."""
    if not old:
        return start if used <= start <= len(lines) else None
    at = [n for n in range(used, len(lines) - len(old) + 1) if lines[n : n + len(old)] == old]
    return start - 1 if start - 1 in at else at[0] if len(at) == 1 else None


def changed_lines(source: str, goal: str) -> int:
    """Return how many lines differ, a replaced one counted once; blank ones and spaces do not."""
    one, other = ([" ".join(row.split()) for row in text.splitlines()] for text in (source, goal))
    one, other = [row for row in one if row], [row for row in other if row]
    codes = difflib.SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return sum(max(b - a, d - c) for tag, a, b, c, d in codes if tag != "equal")
