"""Reserved pieces are counted twice."""

from __future__ import annotations

import random

from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the count is in boxes."""
    box, reserved = rng.randrange(3, 13), rng.randrange(1, 30)
    field = rng.choice(("stock", "free", "pieces", "left"))
    return revertable(
        shift,
        [
            (
                "unit = 1",
                f"unit = {box}",
                "unit = int(True)",
            ),
            (f"open = count - {reserved}", f"open = count - {reserved} - {reserved * 2}"),
            f'return {{"{field}": open // unit, "count": count}}',
        ],
        names=("stock", "depot", "inventory", "shelves"),
        function=rng.choice(("available", "remaining", "free_of")),
        param="count",
        keys=[200 + 50 * n + 7 for n in rng.sample(range(40), 4)],
        field=field,
        other="count",
        messages=("reserve before counting", "count pieces once", "stock from one sum"),
    )
