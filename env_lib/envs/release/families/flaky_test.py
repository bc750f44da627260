"""A test known to be flaky fails for real this time."""

from __future__ import annotations

import random

from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the reading is a pair from now on."""
    step, offset = rng.randrange(2, 12), rng.randrange(1, 50)
    field = rng.choice(("reading", "sample", "level", "pulse"))
    passed = rng.randrange(1, 4)
    return revertable(
        shift,
        [
            f"ticks = tick * {step}",
            (
                f"level = ticks + {offset}",
                f"level = [ticks, {offset}]",
                f"level = {offset} + ticks",
            ),
            ("late = tick < 0", "late = tick > 0"),
            f'return {{"{field}": None if late else level, "tick": tick}}',
        ],
        names=("sensors", "meters", "telemetry", "probes"),
        function=rng.choice(("poll", "measure", "latest")),
        param="tick",
        keys=rng.sample(range(1, 500), 4),
        field=field,
        other="tick",
        message="late readings are empty",
        noise=f"marked flaky, retried {passed + 1} times",
    )
