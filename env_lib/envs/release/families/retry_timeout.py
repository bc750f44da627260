"""The unit of a time-out changed: retries pile up."""

from __future__ import annotations

import random

from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the time-out is in milliseconds from now on."""
    slope, spare = rng.randrange(2, 9), rng.randrange(3, 60)
    field = rng.choice(("timeout", "deadline", "wait", "patience"))
    return revertable(
        shift,
        [
            (f"wait = {slope} * load", f"wait = {slope} * load * 1000"),
            (
                f"limit = wait + {spare}",
                f"limit = (wait + {spare}) * 1000",
                f"limit = {spare} + wait",
            ),
            f'return {{"{field}": limit, "load": load}}',
        ],
        names=("retry", "backoff", "dispatch", "courier"),
        function=rng.choice(("policy", "budget", "window")),
        param="load",
        keys=rng.sample(range(1, 400), 4),
        field=field,
        other="load",
        messages=("one place for time-outs", "steadier retries", "time-outs by load"),
    )
