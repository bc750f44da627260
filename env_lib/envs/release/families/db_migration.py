"""A column was renamed by a migration, and with `shift` its content changed too."""

from __future__ import annotations

import random

from env_lib.envs.release.families import USERS
from env_lib.envs.release.sketch import Sketch, body


def draw(rng: random.Random, shift: bool) -> Sketch:
    """With `shift` the new column holds a list, which old readers cannot read."""
    old, new = rng.choice((("name", "full_name"), ("mail", "contact"), ("city", "place")))
    suffix = rng.choice(("lee", "roy", "kim", "diaz", "north", "west"))
    first = f'return {{"{old}": user + " {suffix}", "size": len(user)}}'
    value = f'[user, "{suffix}"]' if shift else f'user + " {suffix}"'
    then = f'return {{"{new}": {value}, "size": len(user)}}'
    note = "it is a list now, old readers must move" if shift else "the content is the same"
    return Sketch(
        names=("accounts", "people", "members", "contacts"),
        function=rng.choice(("load", "fetch", "find")),
        param="user",
        keys=tuple(repr(word) for word in rng.sample(USERS, 4)),
        field="label",
        other="size",
        before=body("row = table.row(user)", f'label = row["{old}"]', _RETURN),
        head=body("row = dict(table.row(user))", f'label = row["{old}"]', _RETURN),
        repair=(f'row["{old}"]', f'row["{new}"]'),
        hint=(f'row["{old}"]', f'row["{new}"]'),
        messages=(f"migrate column {old}", "read rows once", "follow the new table"),
        demand="new" if shift else "old",
        imports="from vendor import table\n",
        vendor={
            "vendor/table.py": (f"def row(user):\n    {first}\n", f"def row(user):\n    {then}\n")
        },
        guide=("table", f'`row["{old}"]` becomes `row["{new}"]`: {note}'),
    )


_RETURN = 'return {"label": label, "size": row["size"]}'
