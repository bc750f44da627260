"""Writes a healthy script in the form of an older release, so that the installed one really fails.

What leads from a row's new form to its old one is found by `recover.repairs` and applied to scripts
that use the same interface, as it stands and in wider forms: with holes for what is the snippet's
own. `data/drift/weaves.json` names the changes where that finds nothing. What counts is decided by
running: the aged script must fail with the row's error, or, for a silent row, return another value.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from env_lib.envs.drift import recover
from env_lib.envs.drift.breakages import Breakage
from env_lib.envs.drift.corpus import folder
from env_lib.envs.drift.primitives import PrimitiveError, apply
from env_lib.envs.drift.records import Change, Script
from env_lib.envs.drift.undoing import TRIES, fitting, plainly, undone
from env_lib.envs.drift.widening import variants
from env_lib.runs import read_json


@lru_cache(maxsize=1)
def _forms() -> dict[str, dict[str, list[list[str]]]]:
    path = folder() / "forms.json"
    return dict(read_json(path)) if path.is_file() else {}


def backwards(row: Breakage) -> tuple[Change, ...]:
    """Return the changes from a row's new form to its old one, () where none are found."""
    return _told(row, "backwards", row.new, row.old)


def forwards(row: Breakage) -> tuple[Change, ...]:
    """Return the repairs from a row's old form to its new one, () where none are found."""
    return _told(row, "forwards", row.old, row.new)


def _told(row: Breakage, way: str, source: str, wanted: str) -> tuple[Change, ...]:
    known = _forms()
    if known:
        return tuple(Change(*one) for one in known.get(row.id, {}).get(way, ()))
    return recover.repairs(source, wanted) or ()


@lru_cache(maxsize=1)
def _by_hand() -> dict[str, dict[str, list[list[str]]]]:
    path = folder() / "weaves.json"
    return dict(read_json(path)) if path.is_file() else {}


@dataclass(frozen=True)
class Aged:
    """A script in an older form."""

    source: str
    changes: tuple[Change, ...]
    """What led here from the healthy script."""
    repairs: tuple[Change, ...]
    """What leads back."""


def aged(script: Script, row: Breakage) -> Iterator[Aged]:
    """Yield the script in old forms of a row, the nearest form first."""
    named = _by_hand().get(script.name, {}).get(row.id)
    if named is not None:
        lists = [tuple(Change(primitive, "", old, new) for primitive, old, new in named)]
    else:
        lists = list(variants(row, backwards(row)))
    seen = {script.source}
    for changes in lists:
        made = written(script.source, changes)
        if made is not None and made.source not in seen:
            seen.add(made.source)
            yield made


def written(source: str, changes: tuple[Change, ...], tries: int = TRIES) -> Aged | None:
    """Return a script after changes, with the repairs that undo them; None where there are none."""
    text, undo = source, list[Change]()
    if not all(_mentioned(change, source) for change in changes[:1]):
        return None
    try:
        for change in changes:
            made = apply(text, change)
            undo = [*plainly(made, text, undone(text, change)), *undo]
            text = made
        ast.parse(text)
    except (PrimitiveError, SyntaxError):
        return None
    repairs = fitting(text, source, tuple(undo), tries)
    return Aged(text, changes, repairs) if repairs else None


def _mentioned(change: Change, source: str) -> bool:
    """Whether a script has the words that a change looks for: quick, and never wrongly false."""
    old = change.old
    if change.primitive == "set_kwarg" or re.fullmatch(r"[\w.]+\.[\d,]+", old):
        old = old.rpartition(".")[0]
    words = re.findall(r"(?<![$\w])[A-Za-z_]\w*", old)
    return all(word in source for word in words)
