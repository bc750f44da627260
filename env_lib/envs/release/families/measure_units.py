"""Weights are converted twice, and with `shift` they are pounds from now on."""

from __future__ import annotations

import random

from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the weight is given in another unit."""
    tare = rng.randrange(10, 400)
    field = rng.choice(("weight", "mass", "load", "parcel"))
    return revertable(
        shift,
        [
            (
                "unit = 1000",
                "unit = 454",
                "unit = 10**3",
            ),
            (f"gross = grams + {tare}", f"gross = grams + {tare} * 9"),
            f'return {{"{field}": round(gross / unit, 2), "grams": grams}}',
        ],
        names=("freight", "parcels", "scales", "cargo"),
        function=rng.choice(("weigh", "gross_of", "declare")),
        param="grams",
        keys=rng.sample(range(1000, 9000), 4),
        field=field,
        other="grams",
        messages=("weights with packaging", "convert weights once", "one table of units"),
    )
