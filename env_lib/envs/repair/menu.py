"""What is offered in a state: a numbered, shuffled menu of transformations.

A menu shows a next step of the repair wherever one transformation is one, among others drawn by the
seed; where it stands in the menu says nothing. A step of the repair is a transformation after which
the code is nearer to the reference.
"""

from __future__ import annotations

import difflib
import random
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from env_lib.envs.repair.normal import edited_lines, normal_lines

if TYPE_CHECKING:
    from env_lib.envs.repair.transforms import Offer

SIZE = 8
"""Transformations in a menu."""


def _hunks(lines: Sequence[str], goal: Sequence[str]) -> list[int]:
    """Return how many lines of normalised code differ, one number a place."""
    matcher = difflib.SequenceMatcher(None, lines, goal, autojunk=False)
    return [
        max(i2 - i1, j2 - j1) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal"
    ]


def distance(source: str, reference: str) -> int:
    """Return how many lines of a program differ from the reference, in normal form."""
    return sum(_hunks(normal_lines(source), normal_lines(reference)))


@lru_cache(maxsize=20_000)
def next_step(source: str, reference: str) -> Offer | None:
    """Return the transformation after which the code is nearest to the reference; None: no nearer.

    The lines that differ are looked at, and those beside them, where a removed line stood. What
    mends a whole place, the largest, is taken at once.
    """
    from env_lib.envs.repair.transforms import apply, offers

    goal = normal_lines(reference)
    hunks = _hunks(normal_lines(source), goal)
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
            edited = edited_lines(source, apply(source, offer.transform_id, offer.line))
            left = sum(_hunks(edited, goal))
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
