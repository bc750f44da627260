"""Edits of a program's text: one exact replacement, or a unified diff.

Diffs are read with `unidiff`: kept up, typed, small, strict about the counts of a hunk; applying is
our own. `whatthepatch` applies too, but drops the last newline, takes wrong counts in silence, and
does not look where a hunk without context lands.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from unidiff.patch import Hunk

_HEADER = "--- a/program.py\n+++ b/program.py\n"
_NAMED_AT_MOST = 8


class EditError(ValueError):
    """An edit that cannot be made; says why and what would have been right."""


def replace(source: str, search: str, replacement: str) -> str:
    """Replaces a text that occurs exactly once.

    Raises:
        EditError: the text is empty, or occurs not once; says how many times, and where.
    """
    if not search:
        raise EditError("the search text is empty; it must match exactly once")
    found = [match.start() for match in re.finditer(f"(?={re.escape(search)})", source)]
    if len(found) != 1:
        raise EditError(_miscounted(source, search, found))
    return source[: found[0]] + replacement + source[found[0] + len(search) :]


def _miscounted(source: str, search: str, found: Sequence[int]) -> str:
    problem = f"the search text must match exactly once, but matches {len(found)} times"
    if found:
        lines = [str(source.count("\n", 0, start) + 1) for start in found[:_NAMED_AT_MOST]]
        more = ", …" if len(found) > _NAMED_AT_MOST else ""
        return f"{problem} (from line {', '.join(lines)}{more}): add more of what is around it"
    wanted = search.strip().split("\n")[0].strip()
    lines = source.split("\n")
    near = difflib.get_close_matches(wanted, [line.strip() for line in lines], n=1)
    if not near:
        return problem
    number = next(n for n, line in enumerate(lines, start=1) if line.strip() == near[0])
    return f"{problem}; the nearest is line {number}: {lines[number - 1]!r}"


def patch(source: str, diff: str) -> str:
    """Applies a unified diff of one file; the names in its header are not looked at.

    They are `cheats.guarded_file`'s to judge. A hunk goes where its header says if its old lines
    stand there, else to the one place after the hunk before it where they do. Lines must agree to
    the last space. Whether the file ends with a newline stays as it was.

    Raises:
        EditError: no hunk, more than one file, or a hunk that cannot be read or does not apply,
            with its number, counted from 1.
    """
    lines = source.removesuffix("\n").split("\n") if source else []
    done: list[str] = []
    used = 0
    for number, hunk in enumerate(_hunks(diff), start=1):
        old = [line.value.removesuffix("\n") for line in hunk if line.is_context or line.is_removed]
        new = [line.value.removesuffix("\n") for line in hunk if line.is_context or line.is_added]
        start = _place(lines, old, hunk.source_start, used, number)
        done += [*lines[used:start], *new]
        used = start + len(old)
    done += lines[used:]
    ends_line = source.endswith("\n") or not source
    return "\n".join(done) + ("\n" if done and ends_line else "")


def _hunks(diff: str) -> list[Hunk]:
    pieces = re.split(r"^(?=@@ )", diff, flags=re.MULTILINE)
    if len(pieces) == 1:
        raise EditError("the diff has no hunk: a line such as `@@ -3,2 +3,2 @@` must begin one")
    return [_hunk(piece, number) for number, piece in enumerate(pieces[1:], start=1)]


def _hunk(piece: str, number: int) -> Hunk:
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    piece = piece.removesuffix("\n") + "\n"
    try:
        files = PatchSet(_HEADER + piece)
    except UnidiffParseError as error:
        raise EditError(f"hunk {number} cannot be read: {error}; {_counted(piece)}") from error
    if not files[0]:
        raise EditError(f"hunk {number} cannot be read: its header is {piece.splitlines()[0]!r}")
    hunk = files[0][0]
    rest = [line for line in piece.split("\n")[len(hunk) + 1 :] if line.strip()]
    if rest and rest[0].startswith(("diff ", "--- ", "Index: ")):
        raise EditError(
            f"the diff changes another file after hunk {number}; one file can be changed"
        )
    if rest:
        raise EditError(f"hunk {number} is over before {rest[0]!r}; {_counted(piece)}")
    return hunk


def _counted(piece: str) -> str:
    """What the header of a hunk should say, as far as its lines tell."""
    body = [line[:1] for line in piece.removesuffix("\n").split("\n")[1:]]
    context = body.count(" ") + body.count("")
    old, new = context + body.count("-"), context + body.count("+")
    return f"the lines below its header are {old} old and {new} new ones"


def _place(lines: list[str], old: list[str], stated: int, used: int, number: int) -> int:
    """The place, counted from 0, of the first of the old lines."""
    if not old:
        if used <= stated <= len(lines):
            return stated
        raise EditError(
            f"hunk {number} adds lines after line {stated}, which should be {used} to {len(lines)}"
        )
    last = len(lines) - len(old)
    places = [at for at in range(used, last + 1) if lines[at : at + len(old)] == old]
    if stated - 1 in places:
        return stated - 1
    if len(places) == 1:
        return places[0]
    problem = f"hunk {number} does not apply at line {stated}, and its old lines stand"
    if places:
        listed = ", ".join(str(at + 1) for at in places[:_NAMED_AT_MOST])
        raise EditError(f"{problem} in {len(places)} other places (from line {listed})")
    there = lines[max(stated - 1, 0) :][: len(old)]
    pairs = enumerate(zip(there, old, strict=False), start=max(stated, 1))
    wrong = next(
        (f"line {n} is {is_!r}, not {should!r}" for n, (is_, should) in pairs if is_ != should), ""
    )
    raise EditError(f"{problem} nowhere after line {used}" + (f"; {wrong}" if wrong else ""))
