"""What an agent of repair does and sees: one JSON object a step, and a prompt with its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from env_lib.core import Action, Observation


class RepairAction(Action):
    """One edit or decision. `apply` takes a number of the menu; the other edits are free."""

    action_type: Literal[
        "apply", "transform", "replace", "patch", "run_tests", "undo", "submit", "give_up"
    ]
    offer: int | None = None
    transform_id: str | None = Field(default=None, max_length=60)
    line: int | None = None
    search: str | None = Field(default=None, max_length=400)
    replace: str | None = Field(default=None, max_length=400)
    diff: str | None = Field(default=None, max_length=2000)

    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "apply": ("offer",),
        "transform": ("transform_id", "line"),
        "replace": ("search", "replace"),
        "patch": ("diff",),
        "run_tests": (),
        "undo": (),
        "submit": (),
        "give_up": (),
    }
    purpose: ClassVar[Mapping[str, str]] = {
        "apply": "make the edit with that number",
        "transform": "make a named edit at a line",
        "replace": "exact text, found once",
        "patch": "a unified diff",
        "run_tests": "see all failing tests",
        "undo": "take back the last edit",
        "submit": "when all tests pass",
        "give_up": "when the tests contradict each other",
    }


class RepairObservation(Observation):
    """The prompt, and the same as fields for rule-based policies."""

    code: str = ""
    tests: str = ""
    """The visible tests: read-only."""
    passed: tuple[str, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    error_type: str = ""
    """"syntax", "import", "timeout", "crash", "protocol" or "" where the tests could be run."""
    offers: tuple[tuple[str, int], ...] = ()
    """The menu: (transform id, line) in the order of its numbers."""
    can_undo: bool = False
    before: int | None = None
    """Tests that passed before the last edit that stands; None where none does."""
    step: int = 0
    budget: int = 0
    error: str = ""
    """What was wrong with the last action, "" where nothing."""
