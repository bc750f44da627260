"""Bugs made on purpose: each one change to the syntax tree, in a kind, undone by one offer.

A mutant counts here when it reads as Python, differs from the original in the syntax tree, and some
offered transformation gives the original tree back. Whether tests notice it is found by running.
`OOD_KINDS` are kept for the out-of-distribution test. Not covered: bugs across functions, wrong
algorithms, and guards that raise (their message could not be given back).
"""

from __future__ import annotations

import ast
import difflib
import hashlib
import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from env_lib.envs.repair.kinds import OOD_KINDS, MutationKind
from env_lib.envs.repair.transforms import Offer, TransformError, apply, offers

if TYPE_CHECKING:
    from env_lib.envs.repair.transforms_survey import Site

__all__ = [
    "OOD_KINDS",
    "Mutant",
    "MutationKind",
    "content_hash",
    "higher_order",
    "mending",
    "mutants",
]


@dataclass(frozen=True)
class Mutant:
    """A broken program."""

    kind: str
    """A `MutationKind`; the kinds of all its bugs joined with `+` when it has several."""
    line: int
    """The line of its first bug, counted from 1 in the program as it was before it."""
    source: str
    """The broken program."""
    description: str
    """What was done, in a sentence for people; it gives the answer away."""
    steps: tuple[Mutant, ...] = ()
    """The single mutations that led here, first to last; empty for a single one."""

    @property
    def kinds(self) -> tuple[MutationKind, ...]:
        """The kinds of all its bugs, in order."""
        return tuple(MutationKind(kind) for kind in self.kind.split("+"))


def mutants(source: str) -> list[Mutant]:
    """All single mutants of a source, by line and column, no two with the same syntax tree.

    Raises:
        Unreadable: the source is no Python, or too large or too deep (a ValueError).
    """
    return list(_mutants(source))


@lru_cache(maxsize=128)
def _mutants(source: str) -> tuple[Mutant, ...]:
    from env_lib.envs.repair.transforms_survey import survey

    seen = {content_hash(source)}
    found = []
    for site in survey(source).sites:
        mutant = _broken(source, site, seen) if site.entry.breaks else None
        if mutant is not None:
            seen.add(content_hash(mutant.source))
            found.append(mutant)
    return tuple(found)


def higher_order(
    source: str,
    rng: random.Random,
    order: int,
    kinds: Collection[MutationKind] = tuple(MutationKind),
) -> Mutant | None:
    """Draws a mutant with several bugs, each on lines that no earlier one touched.

    None when the source has no room for so many bugs of these kinds.

    Args:
        source: A correct program.
        rng: Decides; nothing else is random.
        order: 2 or 3.
        kinds: The kinds to draw from.

    Raises:
        ValueError: another order, or a source that is no Python.
    """
    if order not in (2, 3):
        raise ValueError(f"order is {order}; should be 2 or 3 (mutants() gives all of order 1)")
    steps: list[Mutant] = []
    seen = {content_hash(source)}
    for _ in range(order):
        step = _next_step(source, steps[-1].source if steps else source, rng, kinds, seen)
        if step is None:
            return None
        steps.append(step)
        seen.add(content_hash(step.source))
    told = "; then ".join(step.description for step in steps)
    kind = "+".join(step.kind for step in steps)
    return Mutant(kind, steps[0].line, steps[-1].source, told, tuple(steps))


def _next_step(
    original: str,
    current: str,
    rng: random.Random,
    kinds: Collection[MutationKind],
    seen: set[str],
) -> Mutant | None:
    from env_lib.envs.repair.transforms_survey import survey

    untouched = _untouched(original, current)
    sites = [
        site
        for site in survey(current).sites
        if site.entry.breaks
        and site.entry.kind in kinds
        and untouched.issuperset(range(site.line, site.last_line + 1))
    ]
    rng.shuffle(sites)
    candidates = (_broken(current, site, seen) for site in sites)
    return next((mutant for mutant in candidates if mutant is not None), None)


def _untouched(original: str, current: str) -> set[int]:
    matcher = difflib.SequenceMatcher(
        None, original.splitlines(), current.splitlines(), autojunk=False
    )
    return {
        block.b + offset + 1
        for block in matcher.get_matching_blocks()
        for offset in range(block.size)
    }


def _broken(source: str, site: Site, seen: Collection[str]) -> Mutant | None:
    """The mutant of one site; None if its tree is known or no offer leads back."""
    from env_lib.envs.repair.transforms_survey import survey

    changed = survey(source).write(site)
    if changed is None or content_hash(changed) in seen:
        return None
    if not site.entry.offered and mending(changed, source) is None:
        return None
    return Mutant(site.entry.kind, site.line, changed, _told(source, changed, site))


def _told(source: str, changed: str, site: Site) -> str:
    before = source.splitlines()[site.line - 1].strip()
    told = f"line {site.line} {site.entry.says}: `{before}`"
    if site.entry.name in ("remove_guard", "make_default_mutable"):
        return told
    return f"{told} became `{changed.splitlines()[site.line - 1].strip()}`"


def mending(broken: str, original: str) -> Offer | None:
    """The offer that turns a broken program into the original tree; None if no single one does.

    Offers nearest to the first line that differs are tried first.
    """
    goal = content_hash(original)
    first = _first_difference(broken, original)
    for offer in sorted(offers(broken), key=lambda offer: abs(offer.line - first)):
        try:
            if content_hash(apply(broken, *offer)) == goal:
                return offer
        except TransformError:
            continue
    return None


def _first_difference(one: str, other: str) -> int:
    pairs = enumerate(zip(one.splitlines(), other.splitlines(), strict=False), start=1)
    return next((number for number, (left, right) in pairs if left != right), 1)


def content_hash(source: str) -> str:
    """SHA-256 over the syntax tree: blind to layout and comments, the same on every Python.

    Raises:
        SyntaxError: the source is no Python.
    """
    tree = ast.parse(source)
    return hashlib.sha256("\n".join(_flattened(tree)).encode()).hexdigest()


def _flattened(node: ast.AST) -> Iterator[str]:
    """One line a node and value; empty fields, which differ between versions, are left out."""
    yield f"({type(node).__name__}"
    for name, value in ast.iter_fields(node):
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield name
                yield from _flattened(item)
            elif item is not None or (isinstance(node, ast.Constant) and name == "value"):
                yield f"{name}={item!r}"
    yield ")"
