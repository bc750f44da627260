"""A role got more rights than before."""

from __future__ import annotations

import random

from env_lib.envs.release.families import USERS
from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` rights are one text instead of a list."""
    base, more = rng.choice((("read", "write"), ("view", "edit"), ("list", "drop")))
    field = rng.choice(("rights", "scopes", "grants", "roles"))
    return revertable(
        shift,
        [
            (
                f'own = ["{base}", "{base}:" + user]',
                f'own = "{base} {base}:" + user',
                f'own = ["{base}"] + ["{base}:" + user]',
            ),
            ("extra = own[:0]", f'extra = own[:0] + type(own)("{more}")'),
            f'return {{"{field}": own + extra, "user": user}}',
        ],
        names=("access", "roles", "guard", "policy"),
        function=rng.choice(("allow", "granted", "check")),
        param="user",
        keys=rng.sample(USERS, 4),
        field=field,
        other="user",
        messages=("rights from one table", "list rights once", "tidy up roles"),
    )
