"""What an agent of drift does and sees: one JSON object a step, and a prompt with its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal

from pydantic import Field

from env_lib.core import Action, Observation

WORD = 160
"""Characters of a name, keyword, expression or value."""
LONGEST = 12_000
"""Characters of a diff or a script; a language model's answers are cut far before."""


class DriftAction(Action):
    """One repair or one look. `apply` is short; `patch` and `script` can write anything."""

    action_type: Literal["apply", "patch", "script", "inspect"]
    primitive: (
        Literal[
            "rename_symbol", "replace_symbol", "change_import", "rename_kwarg", "drop_kwarg",
            "set_kwarg", "unwrap_return", "rename_column",
        ]
        | None
    ) = None  # fmt: skip
    old: str | None = Field(default=None, max_length=WORD)
    new: str | None = Field(default=None, max_length=WORD)
    target: str | None = Field(default=None, max_length=WORD)
    """What `replace_symbol` imports, or the call that a keyword belongs to."""
    diff: str | None = Field(default=None, max_length=LONGEST)
    script: str | None = Field(default=None, max_length=LONGEST)
    symbol: str | None = Field(default=None, max_length=WORD)

    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "apply": ("primitive", "old", "new"),
        "patch": ("diff",),
        "script": ("script",),
        "inspect": ("symbol",),
    }
    purpose: ClassVar[Mapping[str, str]] = {
        "apply": "change old to new; a keyword may be call.keyword",
        "patch": "a unified diff",
        "script": "the whole file",
        "inspect": "see the installed signature",
    }
    optional: ClassVar[tuple[str, ...]] = ("target",)


class ChallengeAction(DriftAction):
    """A repair, or the proposal of a drift that opens an episode with `challenger=True`."""

    action_type: Literal["propose", "apply", "patch", "script", "inspect"]  # type: ignore[assignment]
    primitive: (
        Literal[
            "rename_symbol", "remove_symbol", "move_symbol", "rename_kwarg", "remove_kwarg",
            "change_default", "change_return", "rename_column", "replace_symbol",
            "change_import", "drop_kwarg", "set_kwarg", "unwrap_return",
        ]
        | None
    ) = None  # type: ignore[assignment]  # fmt: skip
    params: dict[str, str] | None = None
    """`old` and `new` of the breakage, see `primitives`; `was`, the old default, is optional."""

    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "propose": ("primitive", "target", "params"),
        **DriftAction.needs,
    }
    purpose: ClassVar[Mapping[str, str]] = {
        "propose": "let the library move: a breakage, its dotted name, old and new",
        **DriftAction.purpose,
    }


class DriftObservation(Observation):
    """The prompt, and the same as fields for rule-based policies."""

    code: str = ""
    """The script as it is now."""
    library: str = ""
    versions: tuple[tuple[str, str], ...] = ()
    """(library, installed version) of what the script imports."""
    error_type: str = ""
    """Class of the exception, "" where the script ran to its end."""
    message: str = ""
    line: int = 0
    traceback_end: str = ""
    differs: tuple[tuple[str, Any, Any], ...] = ()
    """(where, what came, what came before the update) of a script that ran to its end."""
    told: tuple[tuple[str, str], ...] = ()
    """(symbol, signature) of what was inspected, the last one last."""
    tried: tuple[str, ...] = ()
    """Repairs that failed, in words, the last one last."""
    attempts: int = 0
    """Attempts that are left."""
    step: int = 0
    budget: int = 0
    error: str = ""
    """What was wrong with the last action, "" where nothing."""
