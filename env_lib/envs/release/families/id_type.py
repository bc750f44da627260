"""Numbers of orders lose their leading part, and with `shift` they become texts."""

from __future__ import annotations

import random

from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` a reference is a text with a prefix."""
    start, prefix = 1000 * rng.randrange(1, 90), rng.choice(("R-", "N-", "X-", "no. "))
    field = rng.choice(("ref", "number", "order_id", "docket"))
    return revertable(
        shift,
        [
            (f"full = {start} + serial", f"full = {start} + serial % 100"),
            ("ref = full", f'ref = f"{prefix}{{full}}"', "ref = int(full)"),
            f'return {{"{field}": ref, "serial": serial}}',
        ],
        names=("orders", "tickets", "dockets", "cases"),
        function=rng.choice(("register", "number", "open_case")),
        param="serial",
        keys=rng.sample(range(101, 999), 4),
        field=field,
        other="serial",
        messages=("one numbering for all", "numbers from the register", "plainer references"),
    )
