"""A page holds fewer rows than asked for, and with `shift` pages count from another number."""

from __future__ import annotations

import random

from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the answer carries the number of pages instead of the rows."""
    limit = rng.randrange(20, 120, 5)
    field = rng.choice(("rows", "page", "items", "hits"))
    return revertable(
        shift,
        [
            (f"size = min(asked, {limit})", f"size = min(asked, {limit}) // 4"),
            (
                "rows = list(range(size))[:5] + [size]",
                "rows = size + 1",
                "rows = [*range(size)][:5] + [size]",
            ),
            f'return {{"{field}": rows, "asked": asked}}',
        ],
        names=("listing", "search", "browse", "catalog"),
        function=rng.choice(("listed", "paged", "query")),
        param="asked",
        keys=rng.sample(range(8, 160), 4),
        field=field,
        other="asked",
        messages=("page limits from one place", "smaller pages", "tidy up paging"),
    )
