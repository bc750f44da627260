"""The default of a feature flag was flipped."""

from __future__ import annotations

import random

from env_lib.envs.release.families import USERS
from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the mode is a number from now on."""
    flag = rng.choice(("fast", "slim", "bulk", "dark", "lazy"))
    on, off = rng.choice((("quick", "full"), ("new", "classic"), ("short", "long")))
    field = rng.choice(("mode", "flow", "layout", "plan"))
    start = rng.randrange(1, 40)
    return revertable(
        shift,
        [
            'flags = {"beta": len(user) > 90}',
            (f'on = flags.get("{flag}", False)', f'on = flags.get("{flag}", True)'),
            (
                f'kind = "{on}" if on else "{off}"',
                f"kind = {start} if on else {start + 1}",
                f'kind = ("{off}", "{on}")[on]',
            ),
            f'return {{"{field}": kind, "name": user}}',
        ],
        names=("features", "toggles", "rollout", "settings"),
        function=rng.choice(("pick", "choose", "resolve")),
        param="user",
        keys=rng.sample(USERS, 4),
        field=field,
        other="name",
        messages=(
            f"clean up the {flag} flag",
            "flags from one table",
            f"{flag} flag: plainer code",
        ),
    )
