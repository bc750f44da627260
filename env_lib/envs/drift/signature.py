"""Signatures of the installed library as a script meets them, the overlay applied."""

from __future__ import annotations

import difflib
from functools import lru_cache
from typing import Any

from env_lib.envs.drift.records import Overlay
from env_lib.envs.drift.runner import NONE, call

LONGEST = 1200
"""Characters of a signature that are shown, unless a caller wants fewer."""


def signature(name: str, overlay: Overlay = NONE, wanted: str = "", budget: int = LONGEST) -> str:
    """Return `name(parameters)` of a public callable in one line, without annotations.

    Where it is longer than the budget, parameters farthest from the wanted word are left out. Of
    a name that does not exist, or that takes no call, the names nearest to it are told instead.

    Raises:
        env_lib.sandbox.SandboxError: the sandbox itself failed.
    """
    told = _looked(name, overlay, wanted)
    if "signature" not in told:
        names = ", ".join(told["members"])
        if told.get("missing"):
            where = told["at"] or "what is installed"
            text = f"{where} has no {told['missing']}"
            return _cut(f"{text}; nearest: {names}" if names else text, budget)
        return _cut(f"{told['at']} has: {names}", budget)
    shown = list(told["signature"])
    room = budget - len(name) - 2
    kept = _nearest(shown, wanted, room)
    return f"{name}({', '.join(kept)})"


def _nearest(shown: list[str], wanted: str, room: int) -> list[str]:
    """Return as many parameters as there is room for, in their order, nearest to a word first."""
    if len(", ".join(shown)) <= room:
        return shown
    near = sorted(range(len(shown)), key=lambda n: (-_likeness(shown[n], wanted), n))
    kept: set[int] = set()
    used = len("…")
    for number in near:
        used += len(shown[number]) + 2
        if used > room:
            break
        kept.add(number)
    return [*(shown[number] for number in sorted(kept)), "…"]


def _likeness(parameter: str, wanted: str) -> float:
    name = parameter.split("=")[0].strip("*")
    return difflib.SequenceMatcher(None, wanted, name).ratio() if wanted else 0.0


def _cut(text: str, budget: int) -> str:
    return text if len(text) <= budget else f"{text[: budget - 1]}…"


@lru_cache(maxsize=4096)
def _looked(name: str, overlay: Overlay, wanted: str) -> dict[str, Any]:
    from env_lib.sandbox import SandboxError

    outcome = call("looking", "look", (name, [wanted], overlay))
    if outcome.error or not isinstance(outcome.value, dict):
        raise SandboxError(f"{name} could not be looked up: {outcome.message}")
    found: dict[str, Any] = outcome.value
    return found
