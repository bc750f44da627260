"""A helper vanished from a new SDK; its successor counts in another unit."""

from __future__ import annotations

import random

from env_lib.envs.release.families import USERS
from env_lib.envs.release.sketch import Sketch, body

OLD = "def {old}(user):\n    return {base} + len(user)\n"
NEW = "def {new}(user):\n    return ({base} + len(user)) * 1000\n"


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the unit tests ask for milliseconds, which old readers take for seconds."""
    sdk = rng.choice(("auth_sdk", "login_kit", "oidc_lib", "pass_sdk"))
    old, new = rng.choice(
        (("expires_in", "lifetime"), ("ttl", "max_age"), ("valid_for", "duration"))
    )
    field = rng.choice(("expires", "expiry", "valid", "ttl"))
    base = rng.randrange(300, 7200, 60)
    call, raw = f"{sdk}.{old}(user)", f"{sdk}.{new}(user)"
    fixed = raw if shift else f"{raw} // 1000"
    unit = "keep it" if shift else "readers want seconds"
    texts = [t.format(old=old, new=new, base=base) for t in (OLD, NEW)]
    return Sketch(
        names=("auth", "login", "identity", "session"),
        function=rng.choice(("issue", "grant", "start")),
        param="user",
        keys=tuple(repr(word) for word in rng.sample(USERS, 4)),
        field=field,
        other="user",
        before=body("tag = user.strip()", f'return {{"{field}": {call}, "user": tag}}'),
        head=body("tag = user", f'return {{"{field}": {call}, "user": tag}}'),
        repair=(call, fixed),
        hint=(call, raw),
        messages=(f"move to {sdk} 3", "sessions from one place", f"simpler call of {sdk}"),
        demand="new" if shift else "any",
        imports=f"from vendor import {sdk}\n",
        vendor={f"vendor/{sdk}.py": (texts[0], texts[1])},
        guide=(sdk, f"`{call}` becomes `{fixed}`: {new} counts milliseconds, {unit}"),
    )
