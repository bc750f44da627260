"""Authors: public statistics and hidden reputation, drawn together per episode.

The bundled facts name no authors, so newcomers, regulars and core contributors are drawn; a store
filled by a live pull brings its own, computed from real activity. What such an author shows has the
form of a drawn one, so that it does not tell the real from the spammer: the handle is `u` and five
digits of the pseudonym, and the account's age is drawn by role. A pull does not know ages: it sees
the first trace within its window, which would make every real account younger than a spammer's.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

from env_lib.core import stable_hash

LOW_REPUTATION = 0.35
TRUSTED_REPUTATION = 0.8
QUERY_NOISE = 0.3
"""Width of the uniform noise on a queried record, in units of reputation."""
RETURNS = 0.6
"""Chance that a regular or a core contributor is one whom the queue has seen before, as spam
accounts come back too: that a handle was seen tells little (leak check "accounts seen before")."""
HARMLESS_GAIN = 0.15
"""Reputation that the harmless threads of a long con earn."""
BAD_RECORD, MIXED_RECORD = 0.45, 0.3
"""Shares of removed threads from which on a record is a spammer's, or mixed."""


@dataclass(frozen=True, slots=True)
class Author:
    """An account; `reputation` in [0, 1] and `role` are hidden from policies."""

    handle: str
    merged: int
    account_days: int
    first: bool
    reputation: float
    role: str


def _handle(rng: random.Random) -> str:
    return f"u{rng.randrange(16**5):05x}"


def account_days(rng: random.Random, role: str) -> int:
    """The age of an honest account by role: many newcomers' are young, some are old."""
    if role == "newcomer":
        return int(rng.lognormvariate(5.3, 1.3))
    return rng.randint(500, 4200) if role == "core" else rng.randint(120, 3000)


def handles_of(pseudonyms: Iterable[str]) -> dict[str, str]:
    """The handles of a store's accounts by pseudonym: `u` and its first five digits.

    Where another account has that one, the digits of a hash follow: no two share a handle.
    """
    handles: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(set(pseudonyms)):
        digits = (stable_hash([name, i])[:5] if i else name[:5] for i in count())
        handles[name] = next(f"u{found}" for found in digits if f"u{found}" not in taken)
        taken.add(handles[name])
    return handles


def known_author(pseudonym: str, handle: str, row: Mapping[str, Any]) -> Author:
    """A contributor of a live pull; the age is drawn, and the same whenever the account is seen."""
    merged, threads = int(row["merged_prs"] or 0), int(row["threads"] or 0)
    role = "core" if merged >= 8 else "newcomer" if threads <= 1 else "regular"
    days = account_days(random.Random(f"account/{pseudonym}"), role)
    return Author(handle, merged, days, threads <= 1, float(row["reputation"]), role)


def newcomer(rng: random.Random) -> Author:
    """An honest first-time contributor."""
    return Author(
        _handle(rng), 0, account_days(rng, "newcomer"), True, rng.uniform(0.4, 0.75), "newcomer"
    )


def regular(rng: random.Random) -> Author:
    """Somebody seen before, with few or no merged pull requests."""
    merged = rng.choice((0, 0, 0, 1, 1, 2, 3, 5))
    return Author(
        _handle(rng),
        merged,
        account_days(rng, "regular"),
        False,
        rng.uniform(0.55, 0.9),
        "regular",
    )


def core(rng: random.Random) -> Author:
    """A contributor with a long record."""
    return Author(
        _handle(rng),
        rng.randint(8, 150),
        account_days(rng, "core"),
        False,
        rng.uniform(0.85, 1.0),
        "core",
    )


def spammer(rng: random.Random, tier: int) -> Author:
    """A hostile account; from tier 3 on public statistics do not tell it."""
    if tier <= 1:
        return Author(
            _handle(rng),
            0,
            rng.randint(0, 45),
            rng.random() < 0.9,
            rng.uniform(0.0, 0.15),
            "spammer",
        )
    if tier == 2:
        return Author(
            _handle(rng),
            0,
            int(rng.lognormvariate(4.3, 1.2)),
            rng.random() < 0.65,
            rng.uniform(0.0, 0.2),
            "spammer",
        )
    merged = rng.choice((0, 0, 0, 0, 0, 1))
    return Author(
        _handle(rng),
        merged,
        rng.randint(60, 2600),
        rng.random() < 0.2,
        rng.uniform(0.03, 0.28),
        "spammer",
    )


HONEST = {"newcomer": newcomer, "regular": regular, "core": core}
"""Honest roles, and what draws an account of each."""


def draw_honest(rng: random.Random, kind: str, seen: list[Author]) -> Author:
    """An honest author: pull requests come from the core more often than issues do.

    `seen` holds the honest authors of the same repository so far; regulars and core contributors
    come back from it, and a new author is added.
    """
    shares = (0.2, 0.4, 0.4) if kind == "pull_request" else (0.38, 0.47, 0.15)
    role = rng.choices(tuple(HONEST), shares)[0]
    back = [author for author in seen if author.role == role != "newcomer"]
    if back and rng.random() < RETURNS:
        return rng.choice(back)
    author = HONEST[role](rng)
    seen.append(author)
    return author


def after_harmless(author: Author) -> Author:
    """The account of a long con once its harmless threads stand in its record."""
    return replace(author, reputation=author.reputation + HARMLESS_GAIN)


def record_of(author: Author, noise: float) -> str:
    """The noisy view of an author's record; `noise` in [0, 1) is fixed by episode and author."""
    seen = min(1.0, max(0.0, author.reputation + QUERY_NOISE * (noise - 0.5)))
    threads = 4 + int(noise * 997) % 9
    removed = round((1.0 - seen) ** 2 * threads)
    share = removed / threads
    word = "spammer" if share >= BAD_RECORD else "mixed" if share >= MIXED_RECORD else "trusted"
    reason = " as spam" if removed else ""
    return f"{word}, {threads} threads, {removed} removed{reason}"
