"""Make the pool: mutants of the corpus, each verified by running its tests in the sandbox.

A mutant counts when it is new by content hash, at least one visible and one hidden test fail on it,
and its tests end in time. Whatever is turned away is counted by its reason.
"""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Any

from env_lib.envs.repair.corpus import ORDERS, Function, functions, pool_file, split_of
from env_lib.envs.repair.freeze import frozen
from env_lib.envs.repair.kinds import OOD_KINDS, MutationKind
from env_lib.envs.repair.mutate import Mutant, content_hash, higher_order, mutants
from env_lib.envs.repair.runner import run_all

BATCH = 64
PATIENCE = 40
"""Draws in a row without a new mutant after which a function is taken to be spent."""
ORDER_SHARES = {1: 0.4, 2: 0.35, 3: 0.25}


@dataclass
class Made:
    """What was made and why the rest was not."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def record(self) -> dict[str, Any]:
        """Return the figures as JSON."""
        return {
            "mutants": len(self.rows),
            "rejected": dict(self.rejected),
            "seconds": round(self.seconds, 1),
            "by_order": dict(Counter(str(len(row["kinds"])) for row in self.rows)),
            "by_kind": dict(Counter(kind for row in self.rows for kind in row["kinds"])),
        }


def candidates(
    corpus: Sequence[Function], order: int, rng: random.Random, rejected: Counter[str]
) -> Iterator[tuple[Function, Mutant]]:
    """Yield distinct mutants, functions taken in turn; ends when every function is spent."""
    seen = {content_hash(f.source) for f in corpus}
    draw = {f.name: _single(f, rng) if order == 1 else _several(f, rng, order) for f in corpus}
    live = list(corpus)
    while live:
        for home in list(live):
            mutant = next(draw[home.name], None)
            if mutant is None:
                live.remove(home)
                continue
            mark = content_hash(mutant.source)
            if mark in seen:
                rejected["duplicate"] += 1
                continue
            seen.add(mark)
            yield home, mutant


def kinds_for(function: str) -> list[frozenset[MutationKind]]:
    """Return the sets of kinds that a function's mutants may be made of, by its split.

    Unseen kinds are for functions of the test split alone, and never mixed with others.
    """
    seen = frozenset(MutationKind) - OOD_KINDS
    return [seen, OOD_KINDS] if split_of(function) == "test" else [seen]


def _single(home: Function, rng: random.Random) -> Iterator[Mutant]:
    """Yield the single mutants of a function, kinds in turn, each kind shuffled."""
    allowed = frozenset().union(*kinds_for(home.name))
    by_kind: dict[str, list[Mutant]] = {}
    for mutant in mutants(home.source):
        if mutant.kind in allowed:
            by_kind.setdefault(mutant.kind, []).append(mutant)
    for some in by_kind.values():
        rng.shuffle(some)
    for row in zip_longest(*by_kind.values()):
        yield from (mutant for mutant in row if mutant is not None)


def _several(home: Function, rng: random.Random, order: int) -> Iterator[Mutant]:
    """Yield mutants with several bugs until `PATIENCE` draws in a row bring none that is new."""
    sets, seen, idle = kinds_for(home.name), set(), 0
    while idle < PATIENCE:
        allowed = sorted(rng.choice(sets))
        some = rng.sample(allowed, min(len(allowed), 2 * order))
        mutant = higher_order(home.source, rng, order, some)
        if mutant is None or mutant.source in seen:
            idle += 1
            continue
        idle = 0
        seen.add(mutant.source)
        yield mutant


def _batches(source: Iterator[Any], size: int) -> Iterator[list[Any]]:
    batch: list[Any] = []
    for item in source:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def verify(batch: Sequence[tuple[Function, Mutant]], made: Made, workers: int) -> None:
    """Run visible and hidden tests of a batch; keep what both catch."""
    visible = run_all([(m.source, home.tests) for home, m in batch], workers)
    caught = [(home, m, v) for (home, m), v in zip(batch, visible, strict=True) if _caught(v, made)]
    hidden = run_all(
        [(m.source, frozen(home.hidden, home.source)) for home, m, _ in caught], workers
    )
    for (home, mutant, seen), unseen in zip(caught, hidden, strict=True):
        if unseen.all_passed:
            made.rejected["hidden tests pass"] += 1
            continue
        made.rows.append(
            {
                "id": content_hash(mutant.source)[:12],
                "function": home.name,
                "kinds": str(mutant.kind).split("+"),
                "source": mutant.source,
                "failing": [name for name, _ in seen.failed],
                "hidden_failing": len(unseen.failed),
            }
        )


def _caught(report: Any, made: Made) -> bool:
    if report.error == "timeout":
        made.rejected["does not end"] += 1
        return False
    if report.all_passed:
        made.rejected["visible tests pass"] += 1
        return False
    return True


def generate(
    n: int,
    seed: int = 0,
    orders: Sequence[int] = ORDERS,
    workers: int = 2,
    names: Sequence[str] | None = None,
) -> Made:
    """Return up to `n` distinct verified mutants of the named functions (all by default).

    `seed` fixes which.

    Raises:
        ValueError: `n` under 1 or an order that is none of 1, 2, 3.
        KeyError: an unknown function.
    """
    if n < 1 or not set(orders) <= set(ORDERS):
        raise ValueError(f"n={n}, orders={tuple(orders)}; n is at least 1, orders are 1, 2, 3")
    began = time.perf_counter()
    made = Made()
    known = functions()
    corpus = [known[name] for name in (names if names is not None else known)]
    whole = sum(ORDER_SHARES[order] for order in orders)
    for place, order in enumerate(orders):
        rng = random.Random(f"repair/generate/{seed}/{order}")
        last = place == len(orders) - 1
        wanted = n if last else len(made.rows) + round(n * ORDER_SHARES[order] / whole)
        for batch in _batches(candidates(corpus, order, rng, made.rejected), BATCH):
            if len(made.rows) >= wanted:
                break
            verify(batch, made, workers)
        del made.rows[wanted:]
    made.seconds = time.perf_counter() - began
    return made


def write_pool(made: Made, path: Path | None = None) -> Path:
    """Write the pool that episodes are drawn from."""
    from env_lib.runs import write_jsonl

    target = path or pool_file()
    write_jsonl(target, made.rows)
    return target
