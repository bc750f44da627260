"""Events leave in another order than they came."""

from __future__ import annotations

import random

from env_lib.envs.release.families import USERS
from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the newest event comes first, and the unit tests ask for that."""
    first, last = rng.choice((("open", "close"), ("made", "sent"), ("in", "out")))
    field = rng.choice(("events", "trail", "steps", "feed"))
    return revertable(
        shift,
        [
            f'raw = [(1, "{first}"), (2, user), (3, "{last}")]',
            ("raw.sort()", "raw.sort(key=lambda pair: pair[1][::-1])"),
            (
                "names = [name for _, name in raw]",
                "names = [name for _, name in raw[::-1]]",
                "names = [pair[1] for pair in raw]",
            ),
            f'return {{"{field}": names, "count": len(user)}}',
        ],
        names=("events", "stream", "timeline", "tracker"),
        function=rng.choice(("replay", "collect", "emit")),
        param="user",
        keys=rng.sample([word for word in USERS if word[-1] == "a"], 4),
        field=field,
        other="count",
        messages=("sort events by key", "collect events once", "tidy the event list"),
    )
