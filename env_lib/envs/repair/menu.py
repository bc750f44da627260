"""What is offered in a state: a numbered, shuffled menu of transformations.

A menu shows a next step of the repair wherever one transformation is one, among others drawn by the
seed; where it stands in the menu says nothing. A step of the repair is a transformation after which
the code is nearer to the reference.
"""

from __future__ import annotations

import ast
import difflib
import random
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from env_lib.envs.repair.transforms import Offer

SIZE = 8
"""Transformations in a menu."""


@lru_cache(maxsize=20_000)
def _lines(source: str) -> tuple[str, ...]:
    """Return the code's lines in normal form; unreadable code as it is."""
    try:
        return tuple(ast.unparse(ast.parse(source)).splitlines())
    except (SyntaxError, ValueError):
        return tuple(source.splitlines())


@lru_cache(maxsize=50_000)
def _hunks(source: str, reference: str) -> tuple[int, ...]:
    """Return how many lines of normalised code differ, one number a place."""
    matcher = difflib.SequenceMatcher(None, _lines(source), _lines(reference), autojunk=False)
    return tuple(
        max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal"
    )


def distance(source: str, reference: str) -> int:
    """Return how many lines of normalised code differ."""
    return sum(_hunks(source, reference))


@lru_cache(maxsize=20_000)
def next_step(source: str, reference: str) -> Offer | None:
    """Return the transformation after which the code is nearest to the reference; None: no nearer.

    The lines that differ are looked at, and those beside them, where a removed line stood. What
    mends a whole place, the largest, is taken at once.
    """
    from env_lib.envs.repair.transforms import apply, offers

    hunks = _hunks(source, reference)
    if not hunks:
        return None
    least, most = sum(hunks), sum(hunks) - max(hunks)
    matcher = difflib.SequenceMatcher(
        None, source.splitlines(), reference.splitlines(), autojunk=False
    )
    near: set[int] = set()
    for tag, i1, i2, _, _ in matcher.get_opcodes():
        if tag != "equal":
            near |= set(range(i1, i2 + 2))
    found = None
    for offer in offers(source):
        if offer.line in near:
            left = distance(apply(source, offer.transform_id, offer.line), reference)
            if left < least:
                least, found = left, offer
            if left <= most:
                break
    return found


@lru_cache(maxsize=20_000)
def menu(source: str, reference: str, seed: int, size: int = SIZE) -> tuple[Offer, ...]:
    """Return the menu of a state: at most `size` offers, shuffled by seed and code."""
    from env_lib.envs.repair.transforms import offers

    rng = random.Random(f"menu/{seed}/{source}")
    some = list(offers(source))
    rng.shuffle(some)
    step = next_step(source, reference)
    chosen = [*([step] if step else []), *(offer for offer in some if offer != step)][:size]
    rng.shuffle(chosen)
    return tuple(chosen)
