"""The records that the parts of drift hand one another: a change, an overlay, a script, a task.

All four are frozen and made of plain data, so that they can be hashed, written as JSON and sent to
a child process.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

__all__ = [
    "KINDS",
    "TIERS",
    "Change",
    "Overlay",
    "Script",
    "Task",
    "healthy",
]

TIERS = ("D1", "D2", "D3", "D4")

#: The breakage primitives: what an overlay can change.
KINDS = (
    "rename_symbol",
    "remove_symbol",
    "move_symbol",
    "rename_kwarg",
    "remove_kwarg",
    "change_default",
    "change_return",
    "rename_column",
)


@dataclass(frozen=True)
class Change:
    """One primitive with its arguments: what the challenger says and what a repair says.

    Attributes:
        primitive: One of the eight breakage or of the eight repair primitives.
        target: The dotted public name that changes, e.g. ``transformers.TrainingArguments``; the
            callable for a keyword. Empty in a repair where ``old`` and ``new`` suffice.
        old: The word as the script has it.
        new: The word as the library has it, or a value as source.
    """

    primitive: str
    target: str = ""
    old: str = ""
    new: str = ""


@dataclass(frozen=True)
class Overlay:
    """A further drift made on the installed library in the child.

    Attributes:
        changes: Breakage primitives, applied in their order before the script is imported.
    """

    changes: tuple[Change, ...] = ()


@dataclass(frozen=True)
class Script:
    """A seed script: a module with ``def main(inputs)`` that returns plain data.

    Attributes:
        name: The file's stem under ``data/drift/scripts``.
        library: The library that the script is mostly about, by which splits are made.
        libraries: Every library that it imports.
        source: The source, healthy on the installed release.
        inputs: Three inputs, of which the first is the visible one.
    """

    name: str
    library: str
    libraries: tuple[str, ...]
    source: str
    inputs: tuple[Any, ...] = field(hash=False, default=())


@dataclass(frozen=True)
class Task:
    """One thing to mend.

    Attributes:
        id: A name that tells nothing of the breakage.
        script: Name of the seed script.
        library: Its library.
        split: train, val, test or test_ood.
        kind: The kind of its row in ``breakages.jsonl`` (``several`` where its rows differ), or the
            primitive of its overlay's first change.
        silent: Whether the broken script runs through and returns another value.
        source: The broken script, as the agent gets it.
        reference: The mended script.
        overlay: The drift of the installed library; empty for real breakages.
        repairs: Repair primitives that lead from ``source`` to ``reference``.
        breakages: Ids of the rows of ``breakages.jsonl``, hidden from the agent.
        inputs: Three inputs, of which the first is the visible one.
        expected: What the healthy script returns on each.
        tier: One of ``TIERS``.
    """

    id: str
    script: str
    library: str
    split: str
    kind: str
    silent: bool
    source: str
    reference: str
    overlay: Overlay
    repairs: tuple[Change, ...]
    breakages: tuple[str, ...]
    inputs: tuple[Any, ...] = field(hash=False)
    expected: tuple[Any, ...] = field(hash=False)
    tier: str


def healthy(task: Task) -> str:
    """Return the script of a task that runs on the installed release."""
    return task.source if task.overlay.changes else task.reference
