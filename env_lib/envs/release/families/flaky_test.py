"""A test that the log calls flaky fails for real.

The mark and the number of retries are a line of the log and nothing more: the test's result is the
same in every run, before the causal commit and after it.
"""

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
        messages=("late readings are empty", "steadier readings", "readings in one pass"),
        noise=f"marked flaky, retried {passed + 1} times",
    )
