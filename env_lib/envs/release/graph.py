"""The dependency graph of an episode: who reads what of whom."""

from __future__ import annotations

import random
from dataclasses import dataclass

from env_lib.envs.release.code import Read

POOL = (
    "mobile", "gateway", "kiosk", "reports", "mailer", "portal", "partner", "loyalty", "rating",
    "export", "routes", "fleet", "media", "survey", "labels", "promo", "refunds", "desk", "wallet",
    "support", "returns", "shipping", "market", "forecast", "panel", "robot", "watch", "studio",
    "clinic", "school", "hotel", "garage", "museum", "bakery", "farm", "harbor", "airport",
)  # fmt: skip
ALIASES = ("shown", "state", "info", "detail", "entry", "mark", "figure", "value", "part", "note")
EXACT_SHARE = 0.7


@dataclass(frozen=True)
class Shape:
    """How large a graph is."""

    others: int
    """Services that the change does not reach, the least number of them."""
    depth: int
    """The longest chain from the provider to an impacted service."""
    second: float
    """Chance that a service reads a second, untouched one."""


def draw_reads(
    rng: random.Random, shape: Shape, provider: str, fields: tuple[str, str], impacted: int
) -> tuple[tuple[str, ...], tuple[Read, ...]]:
    """Return all services but the provider, and every edge.

    `impacted` services read `fields[0]` of the provider, some through another one; the rest reads
    `fields[1]`, a service's tag, or nothing.
    """
    names = rng.sample(
        [n for n in POOL if n != provider], impacted + shape.others + rng.randint(0, 1)
    )
    root = names[-1] if shape.depth > 1 else ""
    alias = dict(zip(names, (rng.choice(ALIASES) for _ in names), strict=True))
    exact = [rng.random() < EXACT_SHARE for _ in range(impacted)]
    exact[rng.randrange(impacted)] = True
    reads: list[Read] = []
    reach = [(provider, fields[0], 0)]
    for number, name in enumerate(names[:impacted]):
        deepest = reach[-1] if 0 < number < shape.depth else rng.choice(reach)
        source = deepest if deepest[2] < shape.depth else reach[0]
        reads.append(Read(name, source[0], source[1], alias[name], exact[number]))
        reach.append((name, alias[name], source[2] + 1))
    rest = [name for name in names[impacted:] if name != root]
    for number, name in enumerate(rest):
        source_name = provider if number == 0 else rng.choice([provider, *names[:impacted], root])
        field = fields[1] if source_name in ("", provider) else "tag"
        reads.append(Read(name, source_name or provider, field, alias[name]))
    for name in names if root else ():
        if name != root and rng.random() < shape.second and not _reads(reads, name, root):
            reads.append(Read(name, root, "tag", "origin"))
    order = list(names)
    rng.shuffle(order)
    return tuple(order), tuple(reads)


def _reads(reads: list[Read], consumer: str, provider: str) -> bool:
    return any((r.consumer, r.provider) == (consumer, provider) for r in reads)


def reached(reads: tuple[Read, ...], provider: str, field: str) -> frozenset[str]:
    """Return the services that read a field, directly or through others."""
    found: set[tuple[str, str]] = {(provider, field)}
    while True:
        new = {(r.consumer, r.alias) for r in reads if (r.provider, r.field) in found} - found
        if not new:
            return frozenset(name for name, _ in found) - {provider}
        found |= new


def closures(reads: tuple[Read, ...], services: tuple[str, ...]) -> dict[str, frozenset[str]]:
    """Return for each service itself and every service that its code imports."""
    found = {name: {name} for name in services}
    for _ in services:
        for r in reads:
            found[r.consumer] |= found[r.provider]
    return {name: frozenset(names) for name, names in found.items()}
