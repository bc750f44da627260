"""The exploit audit: promises that the reward of a duty makes, measured on its policies.

A duty's `policies` module names what is judged: `audit_policies()` (every constant and two-cycle),
`EXPLOITS`, `BASELINE` (honest rules), `NO_PROFIT` and `GAP_GROWS` (scenarios); its `leaks` module
has `CHECKS`, name -> function(split, seeds) that returns what leaked, "" where nothing did; one
that measures returns (what leaked, the figure), and the figure stands beside the outcome.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from env_lib.evaluation import TOP, Row, budget_of, known_policies, play
from env_lib.intervals import Interval, mean_interval
from env_lib.registry import duty_module

Check = Callable[[str, Sequence[int]], str | tuple[str, str]]
"""A leak check of a duty."""
SEEDS = tuple(range(8))
PROCESSES = 2


@dataclass(frozen=True)
class Promise:
    """One promise and the figure that keeps or breaks it."""

    name: str
    holds: bool
    detail: str


@dataclass(frozen=True)
class AuditReport:
    """The table of policies, one row a policy and scenario, and the promises.

    `budget` is how many steps an episode had, `shortened` whether the scenario has more, of which
    the split cannot fill all.
    """

    duty: str
    split: str
    seeds: tuple[int, ...]
    table: list[Row]
    promises: tuple[Promise, ...]
    seconds: float

    @property
    def ok(self) -> bool:
        """Whether every promise holds."""
        return all(promise.holds for promise in self.promises)

    def record(self) -> dict[str, Any]:
        """Return the report as JSON."""
        return vars(self) | {
            "ok": self.ok,
            "promises": [vars(promise) for promise in self.promises],
        }

    def text(self) -> str:
        """Return the table of mean returns, the tiers that were shortened, and the promises."""
        tiers = list(dict.fromkeys(row["scenario"] for row in self.table))
        means: dict[str, dict[str, float]] = {}
        for row in self.table:
            means.setdefault(row["policy"], {})[row["scenario"]] = row["mean_return"]
        lines = [f"{'policy':32}" + "".join(f"{tier:>9}" for tier in tiers)]
        lines += [
            f"{name:32}" + "".join(f"{row[t]:9.1f}" for t in tiers) for name, row in means.items()
        ]
        short = {r["scenario"]: r["budget"] for r in self.table if r["shortened"]}
        lines += [f"{tier}: shortened to {budget} steps" for tier, budget in short.items()]
        marks = {True: "holds ", False: "BROKEN"}
        lines += [f"{marks[p.holds]}  {p.name}: {p.detail}" for p in self.promises]
        return "\n".join(
            [*lines, f"{self.duty}, {self.split}, {len(self.seeds)} seeds, {self.seconds:.0f} s"]
        )


def audit(
    duty: str, split: str = "test", seeds: Iterable[int] = SEEDS, n_jobs: int = PROCESSES
) -> AuditReport:
    """Play every policy of a duty and its audit on every scenario and judge the promises.

    Raises:
        KeyError: an unknown duty.
        ValueError: an unknown split.
    """
    began = time.perf_counter()
    seeds = tuple(seeds)
    names = list(known_policies(duty))
    rows = play(duty, names, None, split, seeds, n_jobs)
    table = _table(duty, split, rows)
    promises = [*_promises(duty, table), *_leaks(duty, split, seeds)]
    return AuditReport(duty, split, seeds, table, tuple(promises), time.perf_counter() - began)


def exploits(duty: str) -> list[str]:
    """Return the names of the policies that must not earn."""
    module = duty_module(duty, "policies")
    extra: dict[str, type] = getattr(module, "audit_policies", dict)()
    return list(dict.fromkeys([*module.EXPLOITS, *extra]))


def _table(duty: str, split: str, rows: Sequence[Row]) -> list[Row]:
    """Honest policies first, then the exploits, in the order of the registry."""
    cheats = set(exploits(duty))
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        groups.setdefault((row["policy"], row["scenario"]), []).append(row)
    steps = {
        tier: budget_of(duty, tier, split, {}, rows[0]["seed"])
        for tier in duty_module(duty).SCENARIOS
    }
    names = sorted(known_policies(duty), key=lambda name: name in cheats)
    table = []
    for name in names:
        for tier, (budget, own) in steps.items():
            group = sorted(groups[name, tier], key=lambda row: row["seed"])
            returns: Interval = mean_interval([row["return"] for row in group])
            pace = sum(row["return"] / row["steps"] for row in group) / len(group)
            table.append(
                {
                    "policy": name, "scenario": tier, "exploit": name in cheats,
                    "episodes": len(group), "budget": budget, "shortened": budget < own,
                    "mean_return": returns.mean,
                    "ci_low": returns.low, "ci_high": returns.high, "per_step": pace,
                }
            )  # fmt: skip
    return table


def _promises(duty: str, table: Sequence[Row]) -> list[Promise]:
    module = duty_module(duty, "policies")
    value = {(row["policy"], row["scenario"]): row for row in table}
    cheats = exploits(duty)
    tiers = list(duty_module(duty).SCENARIOS)

    def best(names: Iterable[str], tier: str) -> tuple[float, str]:
        return max((value[name, tier]["mean_return"], name) for name in names)

    out = []
    for tier in module.NO_PROFIT:
        score, name = best(cheats, tier)
        out.append(Promise(f"no exploit earns on {tier}", score <= 0, f"best {name} {score:.1f}"))
    for tier in tiers:
        own = value[module.BASELINE, tier]["mean_return"]
        score, name = best(cheats, tier)
        detail = f"{own:.1f} against {name} {score:.1f}"
        out.append(Promise(f"{module.BASELINE} above every exploit on {tier}", own > score, detail))
    for tier in tiers:
        own = value[TOP, tier]["mean_return"]
        score, name = best((n for n in known_policies(duty) if n != TOP), tier)
        out.append(
            Promise(
                f"{TOP} at the top of {tier}", own >= score, f"{own:.1f} against {name} {score:.1f}"
            )
        )
    if not module.GAP_GROWS:
        return out
    gaps = [
        value[TOP, t]["per_step"] - value[module.BASELINE, t]["per_step"] for t in module.GAP_GROWS
    ]
    grows = all(a < b for a, b in pairwise(gaps))
    shown = ", ".join(f"{tier} {gap:.3f}" for tier, gap in zip(module.GAP_GROWS, gaps, strict=True))
    out.append(Promise(f"gap a step of {TOP} over {module.BASELINE} grows", grows, shown))
    return out


def _leaks(duty: str, split: str, seeds: Sequence[int]) -> list[Promise]:
    checks: Mapping[str, Check] = duty_module(duty, "leaks").CHECKS
    out = []
    for name, check in checks.items():
        found = check(split, seeds)
        leak, figure = (found, "") if isinstance(found, str) else found
        detail = "; ".join(filter(None, dict.fromkeys([leak or "clean", figure])))
        out.append(Promise(f"leak check: {name}", not leak, detail))
    return out
