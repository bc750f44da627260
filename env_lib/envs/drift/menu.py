"""What may come next in a broken script, read off what was seen and nothing else.

The last line of a prompt names a look that is due, or repairs that the rules of `guessing` read out
of the message and of what was looked at, without those that failed before. Every other action may
be taken all the same, and none is marked as right: `signature_reader` takes the first.
"""

from __future__ import annotations

from env_lib.envs.drift import guessing, reading
from env_lib.envs.drift.action import DriftAction, DriftObservation
from env_lib.envs.drift.edits import action_of, edited, words_of
from env_lib.envs.drift.records import Change

OFFERS = 3
"""Repairs that are named at most."""
LOOKS = 2
"""Looks that are named at most where the script runs with another result."""


def can(action: DriftAction, seen: DriftObservation) -> bool:
    """Whether an action can be carried out on the script as it is."""
    return action.action_type == "inspect" or not edited(action, seen.code)[1]


def repairs(seen: DriftObservation) -> list[Change]:
    """Return repairs that the rules suggest, that can be made and that did not fail yet."""
    found: list[Change] = []
    told = dict(seen.told)
    silent = guessing.switches(seen, lambda path: told.get(path, ""))
    for change in dict.fromkeys(guessing.suggested(seen) if seen.error_type else silent):
        words = words_of(action_of(change))
        failed = any(one.startswith(f"{words}: ") for one in seen.tried)
        if not failed and can(action_of(change), seen):
            found.append(change)
        if len(found) == OFFERS:
            break
    return found


def looks(seen: DriftObservation) -> list[str]:
    """Return paths whose signature may tell more: of what refused, or of what the script calls."""
    told = dict(seen.told)
    path = guessing.wanted_look(seen)
    if path:
        return [path] if path not in told and not reading.advice(seen.message) else []
    if seen.error_type:
        return []
    return [path for path in guessing.called(seen.code) if path not in told][:LOOKS]


def options(seen: DriftObservation) -> tuple[str, ...]:
    """Return what may come next, in words: a look that is due alone, else repairs and looks."""
    due = [f"inspect {path}" for path in looks(seen)]
    if seen.error_type and due:
        return tuple(due)
    return (*(words_of(action_of(change)) for change in repairs(seen)), *due)
