"""The repairs that undo a change of a script, in the script's own words where that can be."""

from __future__ import annotations

import ast
import json

from env_lib.envs.drift import recover
from env_lib.envs.drift.differences import differing
from env_lib.envs.drift.primitives import PrimitiveError, apply
from env_lib.envs.drift.records import Change
from env_lib.language import count_tokens

ACTION_TOKENS = 61
"""Estimated tokens of a repair as an action: what is over has more than 48 of SmolLM2's tokens."""
TRIES = 20
"""Primitives that are tried where the inverse of the changes does not lead back."""


def plainly(source: str, wanted: str, undo: list[Change]) -> list[Change]:
    """Return what undoes a change in the script's own words where it has holes and that can be."""
    if len(undo) != 1 or "$" not in undo[0].old:
        return undo
    for old, new in differing(source, wanted):
        change = Change("replace_symbol", undo[0].target, old, new)
        if not sayable(change):
            continue
        try:
            if recover.arrived(apply(source, change), wanted):
                return [change]
        except PrimitiveError:
            continue
    return undo


def fitting(
    source: str, wanted: str, hint: tuple[Change, ...], tries: int = TRIES
) -> tuple[Change, ...]:
    """Return repairs from a script to another: the hint if it leads there, else what is found."""
    leads = _leads(source, wanted, hint)
    if leads and (not tries or all(map(sayable, hint))):
        return hint
    found = recover.repairs(source, wanted, tries=tries) if tries else None
    return found or (hint if leads else ())


def _leads(source: str, wanted: str, hint: tuple[Change, ...]) -> bool:
    try:
        for change in hint:
            source = apply(source, change)
        return recover.arrived(source, wanted)
    except (PrimitiveError, SyntaxError):
        return False


def sayable(change: Change) -> bool:
    """Whether a repair fits into an action of the small model."""
    told = {"action_type": "apply", "primitive": change.primitive, "old": change.old}
    told |= {"new": change.new} | ({"target": change.target} if change.target else {})
    return count_tokens(json.dumps(told)) <= ACTION_TOKENS


def undone(source: str, change: Change) -> list[Change]:
    """Return the repair that undoes a change of a script, as far as the change itself tells."""
    name, old, new = change.primitive, change.old, change.new
    if name == "set_kwarg":
        return [Change("drop_kwarg", "", old.rpartition(".")[2], "")]
    if name == "drop_kwarg":
        call, _, keyword = old.rpartition(".")
        values = _values(source, call, keyword)
        return [Change("set_kwarg", "", f"{one}.{keyword}", value) for one, value in values]
    if name == "unwrap_return":
        return [Change(name, "", old, new[1:] if new.startswith("-") else f"-{new}")]
    if name == "rename_kwarg":
        call, _, keyword = old.rpartition(".")
        return [Change(name, "", new, keyword)]
    return [Change(name, "", new, old)]


def _values(source: str, call: str, keyword: str) -> list[tuple[str, str]]:
    """Return (call, value) of a keyword, each once."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            for word in node.keywords:
                if word.arg == keyword and call in ("", name) and name.isidentifier():
                    found[name] = ast.unparse(word.value)
    return list(found.items())
