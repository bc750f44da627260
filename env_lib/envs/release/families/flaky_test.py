"""A flaky test hides a real failure: two lines broke, and a retry passes over the second one.

The newer unit test takes another case at each try. Its first case fails wherever the line of
`age` is wrong; the pipeline tries once more, the second case passes, and the test counts as passed.
To undo the line of `least` alone is enough for green unit tests, with that failure left in for the
readers; to undo the line of `age` is enough for everybody.
"""

from __future__ import annotations

import random

from env_lib.envs.release.sketch import Sketch, body


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the reading is a pair from now on."""
    step, offset = rng.randrange(2, 12), rng.randrange(1, 50)
    field = rng.choice(("reading", "sample", "level", "pulse"))
    head_start, lost, least = rng.randrange(60, 99), rng.randrange(120, 200), rng.randrange(20, 50)
    hidden = rng.sample(range(1, lost), 2)
    loud = rng.sample(range(lost, lost + least), 2)
    lines = [
        ("least = 0", f"least = {least}"),
        (f"age = tick + {head_start}", f"age = tick - {lost}"),
    ]
    rng.shuffle(lines)
    pair, sum_ = f"level = [ticks, {offset}]", f"level = {offset} + ticks"
    start = f"ticks = tick * {step}"
    end = f'return {{"{field}": None if age < least else level, "tick": tick}}'
    return Sketch(
        names=("sensors", "meters", "telemetry", "probes"),
        function=rng.choice(("poll", "measure", "latest")),
        param="tick",
        keys=(str(loud[0]), str(hidden[0]), str(loud[1]), str(hidden[1])),
        retry=str(rng.randrange(lost + least, 500)),
        field=field,
        other="tick",
        before=body(*(old for old, _ in lines), start, f"level = ticks + {offset}", end),
        head=body(*(new for _, new in lines), start, pair if shift else sum_, end),
        repair=(f"age = tick - {lost}", f"age = tick + {head_start}"),
        partial=(f"least = {least}", "least = 0"),
        messages=("late readings are empty", "steadier readings", "readings in one pass"),
        demand="new" if shift else "old",
    )
