"""A field of a payment was renamed; consumers still read the old name."""

from __future__ import annotations

import random

from env_lib.envs.release.sketch import Sketch, body

PAIRS = (
    ("payment_status", "status"), ("pay_state", "state"), ("tx_result", "result"),
    ("pay_phase", "phase"), ("pay_step", "step"),
)  # fmt: skip


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the old name carries one letter, which the unit tests ask for."""
    field, short = rng.choice(PAIRS)
    low, typo = rng.randrange(200, 900), short[:3]
    yes, no = rng.choice((("paid", "open"), ("settled", "pending"), ("done", "waiting")))
    wrong = f'"{typo}": word'
    both = f'"{field}": word{"[0]" if shift else ""}, "{short}": word'
    first, last = f'word = "{yes}" if cents > {low} else "{no}"', '"cents": cents}'
    return Sketch(
        names=("payments", "charges", "tills", "billing"),
        function=rng.choice(("charge", "capture", "settle")),
        param="cents",
        keys=tuple(str(cents) for cents in rng.sample(range(10, 1500), 4)),
        field=field,
        other="cents",
        before=body(first, f'return {{"{field}": word, {last}'),
        head=body(first, f"return {{{wrong}, {last}"),
        repair=(wrong, both),
        hint=(wrong, both if shift else f'"{short}": word'),
        messages=(
            f"emit {short} in the new schema",
            "names as in the schema",
            "plainer payment answer",
        ),
        demand="new" if shift else "nothing",
        also=(short,),
        guide=("schema", f"`{wrong}` becomes `{both}`: emit both names"),
    )
