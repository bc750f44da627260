"""The lines of a program in normal form, as `ast.unparse` writes them.

A menu compares dozens of edits of a program with the repair, and each changes a line or puts in
two. Where each line of the program stands for itself, only the lines that are new are read.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from functools import lru_cache

KEPT = 20_000
"""Programs, and lines, that are remembered."""
_FRAMES = (("", "", 0), ("", "\n pass", 0), ("if 1:\n pass\n", "\n pass", 2))
"""What makes a program of one line: (text before, text after, lines before)."""


@lru_cache(maxsize=KEPT)
def normal_lines(source: str) -> tuple[str, ...]:
    """Return the code's lines in normal form; unreadable code as it is."""
    try:
        return tuple(ast.unparse(ast.parse(source)).splitlines())
    except (SyntaxError, ValueError):
        return tuple(source.splitlines())


def edited_lines(source: str, edited: str) -> tuple[str, ...]:
    """Return `normal_lines(edited)`, read from what an edit of `source` changed."""
    known = _line_by_line(source)
    if known is None:
        return normal_lines(edited)
    old, new = source.split("\n"), edited.split("\n")
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    gone = known[head : len(old) - tail]
    come = [_alone(line) for line in new[head : len(new) - tail]]
    if gone and [_opens(lines) for lines in gone] != [_opens(lines) for lines in come]:
        return normal_lines(edited)
    parts = [*known[:head], *come, *known[len(old) - tail :]]
    return tuple(line for lines in parts if lines for line in lines)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many lines the two have in common from the first on."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _opens(lines: tuple[str, ...] | None) -> bool | None:
    """Whether a line begins a block; None where it cannot be read alone."""
    return None if lines is None else bool(lines) and lines[-1].endswith(":")


@lru_cache(maxsize=KEPT)
def _line_by_line(source: str) -> tuple[tuple[str, ...], ...] | None:
    """Return what each line becomes in normal form; None where that is not the whole."""
    parts = [_alone(line) for line in source.split("\n")]
    known = tuple(lines for lines in parts if lines is not None)
    whole = tuple(line for lines in known for line in lines)
    return known if len(known) == len(parts) and whole == normal_lines(source) else None


@lru_cache(maxsize=KEPT)
def _alone(line: str) -> tuple[str, ...] | None:
    """Return what a line becomes that is a statement or the head of one; None for any other."""
    bare = line.strip()
    if not bare or bare.startswith("#"):
        return ()
    indent = line[: line.index(bare[0])]
    for before, after, skipped in _FRAMES[bare.endswith(":") :]:
        try:
            tree = ast.parse(before + bare + after)
        except (SyntaxError, ValueError):
            continue
        lines = ast.unparse(tree).splitlines()[skipped:]
        if len(lines) != (2 if after else 1):
            return None
        apart = ("",) if isinstance(tree.body[0], ast.FunctionDef | ast.ClassDef) else ()
        return (*apart, indent + lines[0])
    return None
