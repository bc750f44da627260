"""Cents are lost in a sum, and with `shift` amounts become texts."""

from __future__ import annotations

import random

from env_lib.envs.release.sketch import Sketch, revertable


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the amount is a text with two decimals."""
    fee = rng.randrange(5, 95)
    field = rng.choice(("total", "amount", "due", "price"))
    euros = rng.sample(range(2, 900), 4)
    cents = [100 * n + part for n, part in zip(euros, (55, 71, 93, 67), strict=True)]
    return revertable(
        shift,
        [
            (f"owed = cents + {fee}", f"owed = cents // 100 * 100 + {fee}"),
            ("out = owed / 100", 'out = f"{owed / 100:.2f}"', "out = float(owed) / 100"),
            f'return {{"{field}": out, "cents": cents}}',
        ],
        names=("invoices", "quotes", "ledger", "pricing"),
        function=rng.choice(("add_up", "bill", "sum_up")),
        param="cents",
        keys=cents,
        field=field,
        other="cents",
        messages=("round amounts in one place", "fees in one step", "plainer sums"),
    )
