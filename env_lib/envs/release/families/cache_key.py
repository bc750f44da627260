"""The key of a cache lost a part: entries of different users collide."""

from __future__ import annotations

import random

from env_lib.envs.release.families import USERS
from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` parts of the key are joined by another sign, which readers split at."""
    space = rng.choice(("eu", "us", "app", "web", "v1", "hot"))
    old, new = rng.sample((":", "/", "|", "."), 2)
    return revertable(
        shift,
        [
            (
                f'join = "{old}".join',
                f'join = "{new}".join',
                f'join = str("{old}").join',
            ),
            (f'key = join(["{space}", user])', f'key = join(["{space}", user[:1]])'),
            'return {"key": key, "letters": len(user)}',
        ],
        names=("cache", "lookup", "memo", "edge"),
        function=rng.choice(("locate", "address", "slot")),
        param="user",
        keys=rng.sample(USERS, 4),
        field="key",
        other="letters",
        messages=("shorter cache keys", "build keys in one place", "keys without copies"),
    )
