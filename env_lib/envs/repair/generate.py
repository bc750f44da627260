"""Make the pool: mutants of the corpus, each verified by running its tests in the sandbox.

A mutant counts when it is new by content hash, at least one visible and one hidden test fail on it,
and its tests end in time. Whatever is turned away is counted by its reason; places of one function
that give the same single bug are one mutant. The originals are run first: they must pass all of
their tests.

`python -m env_lib.envs.repair.generate N --order 2` makes mutants with so many bugs alone.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from env_lib.envs.repair.corpus import ORDERS, CorpusError, Function, functions, split_of
from env_lib.envs.repair.kinds import OOD_KINDS, MutationKind
from env_lib.envs.repair.mutate import Mutant, content_hash, higher_order, mutants
from env_lib.envs.repair.pool_store import keep_the_pool, write_pool
from env_lib.envs.repair.verify import Made, require_right, verify

BATCH = 64
PATIENCE = 40
"""Draws in a row without a new mutant after which a function is taken to be spent."""
ORDER_SHARES = {1: 0.4, 2: 0.35, 3: 0.25}


def candidates(
    corpus: Sequence[Function],
    order: int,
    rng: random.Random,
    rejected: Counter[str],
    seen: set[str],
) -> Iterator[tuple[Function, Mutant]]:
    """Yield distinct mutants, functions taken in turn; ends when every function is spent.

    `seen` holds the content hashes that count as known; it grows.
    """
    draw = {
        f.name: _single(f, rng) if order == 1 else _several(f, rng, order, rejected) for f in corpus
    }
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


def _several(
    home: Function, rng: random.Random, order: int, rejected: Counter[str]
) -> Iterator[Mutant]:
    """Yield mutants with several bugs until `PATIENCE` draws in a row bring none that is new."""
    sets, seen, idle = kinds_for(home.name), set(), 0
    while idle < PATIENCE:
        allowed = sorted(rng.choice(sets))
        some = rng.sample(allowed, min(len(allowed), 2 * order))
        mutant = higher_order(home.source, rng, order, some)
        if mutant is None or mutant.source in seen:
            rejected["duplicate"] += mutant is not None
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
        CorpusError: a function does not pass its own tests.
    """
    if n < 1 or not set(orders) <= set(ORDERS):
        raise ValueError(f"n={n}, orders={tuple(orders)}; n is at least 1, orders are 1, 2, 3")
    began = time.perf_counter()
    made = Made()
    known = functions()
    corpus = [known[name] for name in (names if names is not None else known)]
    require_right(corpus, workers)
    seen = {content_hash(home.source) for home in corpus}
    whole = sum(ORDER_SHARES[order] for order in orders)
    for place, order in enumerate(orders):
        rng = random.Random(f"repair/generate/{seed}/{order}")
        last = place == len(orders) - 1
        wanted = n if last else len(made.rows) + round(n * ORDER_SHARES[order] / whole)
        for batch in _batches(candidates(corpus, order, rng, made.rejected, seen), BATCH):
            if len(made.rows) >= wanted:
                break
            verify(batch, made, workers)
        del made.rows[wanted:]
    made.seconds = time.perf_counter() - began
    return made


def main(arguments: Sequence[str]) -> int:
    """Make mutants of chosen orders; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m env_lib.envs.repair.generate")
    parser.add_argument("n", type=int, help="mutants wanted")
    parser.add_argument("--seed", type=int, default=0, help="which")
    parser.add_argument(
        "--order", type=int, nargs="+", choices=ORDERS, default=ORDERS, help="bugs in a mutant"
    )
    parser.add_argument(
        "--out",
        type=Path,
        help="file to write; the pool where left away, unless it would get smaller",
    )
    args = parser.parse_args(arguments)
    if args.out is None:
        try:
            keep_the_pool(args.n)
        except CorpusError as error:
            parser.error(str(error))
    made = generate(args.n, args.seed, args.order)
    print(write_pool(made, args.out), json.dumps(made.record()))
    return 0 if len(made.rows) == args.n else 1


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
