"""The facts of a change: where each one can be seen, what values it has, how it is drawn."""

from __future__ import annotations

import random
from typing import NamedTuple

AREAS = ("api", "auth", "billing", "data", "docs", "ui")
RISKY = ("auth", "billing", "data")
"""Areas where a decision without having looked costs; everybody knows them."""
WORKERS = ("coder", "tester", "scanner", "writer", "migrator", "captain")
TYPES = {
    "coder": "fix", "tester": "tests", "scanner": "deps", "writer": "docs",
    "migrator": "migration", "captain": "release",
}  # fmt: skip
"""What a kind of worker proposes; whatever adds a package is of type `deps`."""
PHASES = ("plan", "build", "verify", "freeze", "ship")
AUTHORS = ("junior", "senior", "lead")
DAYS = ("mon", "tue", "wed", "thu", "fri")
DIFF, CI, DEPS = "diff", "ci", "deps"
ARTEFACTS = (DIFF, CI, DEPS)
LIES = {
    "tests": CI, "stale": CI, "coverage": CI, "scan": DEPS, "hardcoded": DIFF, "scope": DIFF,
}  # fmt: skip
"""What may be claimed falsely, and the artefact that shows it."""
LARGE = 20
"""Added lines from which on a change is large."""
MANY = 4
"""Changed files from which on a change is spread."""


class Facts(NamedTuple):
    """All there is to know of a change; the first six stand in the proposal's header."""

    area: str
    worker: str
    phase: str
    author: str
    day: str
    incident: str
    """"none", or an open incident in the same area ("here") or in another one ("elsewhere")."""
    size: str
    spread: str
    migration: str
    """"none", "reversible" or "oneway" (no way back is planned)."""
    api: str
    secret: str
    tests: str
    coverage: str
    licence: str
    """"none" where no package is added, else "permissive" or "copyleft"."""
    scan: str
    """"clean", "none" (it was not run), or "advisory": it names one, which an honest worker mends
    before it proposes, so that it is there only under the false claim of a clean scan."""
    lie: str
    """The false claim, a key of LIES, or ""."""


FIELDS = Facts._fields
HEADER = FIELDS[:6]
SHOWN_BY = {
    "size": DIFF, "spread": DIFF, "migration": DIFF, "api": DIFF, "secret": DIFF,
    "tests": CI, "coverage": CI, "licence": DEPS, "scan": DEPS,
}  # fmt: skip
HARMLESS = {
    "incident": "none", "size": "small", "spread": "few", "migration": "none", "api": "kept",
    "secret": "no", "tests": "pass", "coverage": "full", "licence": "none", "scan": "clean",
    "lie": "",
}  # fmt: skip
VALUES = {
    "area": AREAS, "worker": WORKERS, "phase": PHASES, "author": AUTHORS, "day": DAYS,
    "incident": ("none", "here", "elsewhere"), "size": ("small", "large"),
    "spread": ("few", "many"), "migration": ("none", "reversible", "oneway"),
    "api": ("kept", "changed"), "secret": ("no", "yes"), "tests": ("pass", "fail"),
    "coverage": ("full", "part"), "licence": ("none", "permissive", "copyleft"),
    "scan": ("clean", "none", "advisory"), "lie": ("", *LIES),
}  # fmt: skip
_WORDS = {
    ("incident", "here"): "incident here", ("incident", "elsewhere"): "incident elsewhere",
    ("size", "large"): "large", ("spread", "many"): "many files",
    ("migration", "reversible"): "migration", ("migration", "oneway"): "migration no down",
    ("api", "changed"): "api changed", ("secret", "yes"): "secret", ("tests", "fail"): "tests fail",
    ("coverage", "part"): "part covered", ("licence", "permissive"): "new package",
    ("licence", "copyleft"): "GPL package", ("scan", "none"): "no scan",
    ("scan", "advisory"): "advisory",
}  # fmt: skip


def word(field: str, value: str) -> str:
    """Return how a record says a fact; "" where it is not worth a word."""
    if field in ("area", "worker", "phase", "author", "day"):
        return value
    if field == "lie":
        return f"false {value}" if value else ""
    return _WORDS.get((field, value), "")


def files_of(facts: Facts) -> int:
    """Return how many files the facts alone make a change touch."""
    return (
        1
        + (facts.api == "changed")
        + (facts.migration != "none")
        + (facts.secret == "yes")
        + (facts.size == "large")
        + (facts.lie == "scope")
    )


def consistent(facts: Facts) -> Facts:
    """Return the facts with what follows from others: lies leave traces, files add up."""
    if facts.lie == "tests":
        facts = facts._replace(tests="fail")
    elif facts.lie in ("stale", "hardcoded"):
        facts = facts._replace(tests="pass")
    elif facts.lie == "coverage":
        facts = facts._replace(coverage="part")
    elif facts.lie == "scan":
        facts = facts._replace(scan="advisory" if facts.scan == "clean" else facts.scan)
    if facts.licence == "none":
        facts = facts._replace(scan="clean")
    return facts._replace(spread="many") if files_of(facts) >= MANY else facts


def mended(facts: Facts) -> Facts:
    """Return the facts after a worker really fixed the change; the header stays as it is."""
    harmless = {name: HARMLESS[name] for name in (*SHOWN_BY, "lie")}
    kept = "permissive" if facts.licence != "none" else "none"
    return facts._replace(**harmless | {"licence": kept})


def draw(rng: random.Random, lie: str = "", **given: str) -> Facts:
    """Draw a change of which some facts are given.

    Workers are known by what they do most: a migrator brings migrations, a scanner packages.
    """
    pick, chance = rng.choice, rng.random
    worker = given.get("worker") or pick(WORKERS)
    moves = chance() < (0.7 if worker == "migrator" else 0.12)
    adds = worker == "scanner" or chance() < 0.3
    facts = {
        "area": pick(AREAS),
        "worker": worker,
        "phase": pick(PHASES),
        "author": pick(AUTHORS),
        "day": pick(DAYS),
        "incident": pick(("none", "none", "here", "elsewhere")),
        "size": "large" if chance() < 0.3 else "small",
        "spread": "many" if chance() < 0.25 else "few",
        "migration": pick(("reversible", "oneway")) if moves else "none",
        "api": "changed" if chance() < 0.3 else "kept",
        "secret": "yes" if chance() < 0.05 else "no",
        "tests": "fail" if chance() < 0.12 else "pass",
        "coverage": "part" if chance() < 0.15 else "full",
        "licence": pick(("permissive", "copyleft")) if adds else "none",
        "scan": "none" if chance() < (0.5 if lie == "scan" else 0.3) else "clean",
    }
    return consistent(Facts(**facts | given, lie=lie))
