"""Facts of real API changes between releases, from `data/drift/breakages.jsonl`.

A row says in which step a change came (`old_version_ok` ran, `broken_since` brackets the first that
failed), the old and the new form as snippets that print their result, and what was seen.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from env_lib.envs.drift.corpus import CorpusError, folder
from env_lib.runs import read_jsonl

_STEP = re.compile(r">(?P<ok>[\w.]+),<=(?P<broken>[\w.]+)")


@dataclass(frozen=True)
class Breakage:
    """One change of a library between two releases."""

    id: str
    library: str
    step: str
    """Version step, `ran->failed`; "" where the old release was not run."""
    kind: str
    old: str
    """Snippet in the old form; fails, or differs, on the installed release."""
    new: str
    """Snippet in the new form; runs on the installed release."""
    error_type: str
    """Exception of the old form on the installed release, "" for a silent one."""
    silent: bool
    repairable: bool
    """Whether the new form does the same; else there is no successor, and no task."""
    needs_tiny: bool
    """Whether the snippets use the helpers of `tiny.py`."""
    names_fix: bool
    """Whether the error's message names what to write instead."""

    @property
    def group(self) -> tuple[str, str]:
        """Library and version step: what splits are made of."""
        return self.library, self.step


def _step(row: dict[str, object]) -> str:
    told = str(row["broken_since"] or "")
    match = _STEP.fullmatch(told)
    if told and not match:
        raise CorpusError(f"{row['id']}: broken_since {told!r} is no `>1.0,<=2.0`")
    return f"{match['ok']}->{match['broken']}" if match else ""


@lru_cache(maxsize=4)
def breakages(path: Path | None = None) -> dict[str, Breakage]:
    """Return all rows by id, in the order of the file.

    Raises:
        CorpusError: a row lacks a field, is there twice, or a snippet is no Python.
    """
    made: dict[str, Breakage] = {}
    for row in read_jsonl(path or folder() / "breakages.jsonl"):
        try:
            one = Breakage(
                id=row["id"],
                library=row["library"],
                step=_step(row),
                kind=row["kind"],
                old=row["old_snippet"],
                new=row["new_snippet"],
                error_type=row["error_type"] or "",
                silent=row["silent"],
                repairable=row["fix"] == "real",
                needs_tiny=row["needs_tiny"],
                names_fix=row["message_names_fix"],
            )
        except KeyError as error:
            raise CorpusError(f"row {row.get('id', '?')}: {error} missing") from error
        if one.id in made:
            raise CorpusError(f"{one.id} is there twice")
        for snippet in (one.old, one.new):
            try:
                ast.parse(snippet)
            except SyntaxError as error:
                raise CorpusError(f"{one.id}: {error}") from error
        made[one.id] = one
    return made


def repairable() -> tuple[Breakage, ...]:
    """Return the rows that have a successor which does the same."""
    return tuple(row for row in breakages().values() if row.repairable)


SEVERAL = "several"


def kind_of(ids: Iterable[str]) -> str:
    """Return the kind that rows have in common, SEVERAL where they have more than one.

    Raises:
        KeyError: there is no such row.
    """
    kinds = {breakages()[name].kind for name in ids}
    return kinds.pop() if len(kinds) == 1 else SEVERAL
