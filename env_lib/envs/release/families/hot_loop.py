"""A loop was rewritten: what it returns can be tested, how long it takes cannot."""

from __future__ import annotations

import random

from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the score is a share instead of a sum."""
    weight, top = rng.randrange(2, 9), rng.randrange(4, 20)
    field = rng.choice(("score", "rank", "weight", "match"))
    return revertable(
        shift,
        [
            (f"last = size + {top}", f"last = size + {top} - 1"),
            (
                f"out = sum({weight} * n for n in range(last))",
                f"out = sum({weight} * n for n in range(last)) / last",
                f"out = sum(sum([n] * {weight}) for n in range(last))",
            ),
            f'return {{"{field}": out, "size": size}}',
        ],
        names=("ranking", "scoring", "matching", "suggest"),
        function=rng.choice(("score", "order_of", "weigh")),
        param="size",
        keys=rng.sample(range(3, 60), 4),
        field=field,
        other="size",
        messages=("simpler scoring loop", "fewer passes over scores", "score in one place"),
    )
