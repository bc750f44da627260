"""What the agent has seen and done: immutable, so that a branch shares it."""

from __future__ import annotations

from dataclasses import dataclass


class Refused(ValueError):
    """An action that cannot be carried out; the message says what would have been right."""


@dataclass(frozen=True, slots=True)
class Notes:
    """Names of what was looked at; the texts follow from them and the world."""

    logs: tuple[str, ...] = ()
    history: bool = False
    diffs: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    guides: tuple[str, ...] = ()
    advisories: tuple[str, ...] = ()
    graph: tuple[str, ...] = ()
    owners: bool = False
    units: tuple[str, ...] = ()
    """Services whose unit tests were run on the code as it is."""
    contracts: tuple[str, ...] = ()
    """The same for contracts."""
    marked: tuple[str, ...] = ()
    edits: tuple[tuple[str, str, str], ...] = ()
    causal: str = ""
    blast: tuple[str, ...] | None = None
    blast_f1: float = 0.0
    decision: str = ""
    owner: str = ""


def add(seen: tuple[str, ...], name: str) -> tuple[str, ...]:
    """Return `seen` with `name` at its end, once."""
    return (*[other for other in seen if other != name], name)
