"""Families: kinds of change, one small module each with `draw(rng, shift) -> Sketch`.

To add one, write its module beside these (a call of `revertable` will often do) and name it in
`FAMILIES`, or in `OUTSIDE` where only `test_ood` may have it; the tests take it up by themselves.
A body has as many lines after the causal commit as before. A new one in `FAMILIES` changes the
episodes that the classic control is fitted on: `python -m env_lib.envs.release.change_model` fits
it anew and writes `data/release/change_model.json`, which a test asks for.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from importlib import import_module

from env_lib.envs.release.sketch import Sketch

FAMILIES = (
    "auth_sdk", "payment_schema", "flag_default", "db_migration", "retry_timeout", "advisory",
    "cache_key", "pagination", "rounding", "event_order", "permissions", "flaky_test",
    "stock_count", "hot_loop",
)  # fmt: skip
OUTSIDE = ("timezone", "id_type", "measure_units")
"""Families that appear in `test_ood` alone."""
LIKELY = {
    "permissions": "request_owner_approval", "hot_loop": "canary", "stock_count": "rollback",
    "auth_sdk": "block", "payment_schema": "ship",
}  # fmt: skip
"""Situations that a family has twice as often as another one."""


def draw(family: str, rng: random.Random, shift: bool) -> Sketch:
    """Return a sketch of a family.

    Raises:
        ValueError: an unknown family; the message lists the known ones.
    """
    if family not in (*FAMILIES, *OUTSIDE):
        raise ValueError(f"unknown family {family!r}; known: {', '.join((*FAMILIES, *OUTSIDE))}")
    module = import_module(f"env_lib.envs.release.families.{family}")
    sketch: Sketch = module.draw(rng, shift)
    return sketch


def messages_of(families: Sequence[str], rng: random.Random) -> tuple[str, ...]:
    """Return the messages that causal commits of families may have."""
    return tuple(text for name in families for text in draw(name, rng, False).messages)


USERS = (
    "ann", "bo", "carla", "dmitri", "elise", "farid", "gus", "hanna", "ivo", "jun", "kaya",
    "leonor", "mo", "nadia", "oskar", "pia", "quentin", "rosa", "sven", "tariq",
)  # fmt: skip
"""Words for keys; no two have the same letters in the same order."""
