"""Hours are moved to another time zone in the wrong direction."""

from __future__ import annotations

import random

from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` times are texts with a zone."""
    zone, place = rng.choice(((1, "CET"), (2, "EET"), (9, "JST"), (-5, "EST"), (-8, "PST")))
    field = rng.choice(("slot", "opens", "at", "local"))
    return revertable(
        shift,
        [
            (f"local = hour + {zone}", f"local = hour - {zone}"),
            (
                "shown = local % 24",
                f'shown = f"{{local % 24}}h {place}"',
                "shown = divmod(local, 24)[1]",
            ),
            f'return {{"{field}": shown, "hour": hour}}',
        ],
        names=("calendars", "booking", "shifts", "planner"),
        function=rng.choice(("opening", "local_hour", "schedule")),
        param="hour",
        keys=rng.sample(range(200), 4),
        field=field,
        other="hour",
        messages=("hours in local time", "one clock for all", "plainer hours"),
    )
