"""What notebook 01 asks of a duty: `build` its data, and `tables` that show what is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.envs.repair import corpus
from env_lib.runs import file_hash

if TYPE_CHECKING:
    import pandas as pd

LEAST = 400
"""Mutants that are made where no pool is there yet."""


def build(live_repo: str = "") -> dict[str, Any]:
    """Make the pool of verified mutants where it is missing.

    Raises:
        ValueError: `live_repo` is set; this duty pulls nothing from a live repository.
    """
    if live_repo:
        raise ValueError(
            f"LIVE_REPO={live_repo!r}: repair has no live source; leave it empty, or use "
            "task_from_source(source, tests) for functions of your own"
        )
    report: dict[str, Any] = {}
    if not corpus.pool_file().is_file():
        from env_lib.envs.repair.generate import generate
        from env_lib.envs.repair.pool_store import write_pool

        made = generate(LEAST)
        write_pool(made)
        report["made"] = made.record()
    rows = _rows()
    return {
        "functions": len(corpus.functions()),
        "named_tasks": len(corpus.named_tasks()),
        "mutants": len(rows),
        "hash": file_hash(corpus.pool_file()),
    } | report


def pool_size() -> int:
    """Return how many mutants the pool holds, 0 where there is none."""
    from env_lib.envs.repair.pool_store import pool_size

    return pool_size()


def generate(n: int, seed: int, out: Path | None = None) -> dict[str, Any]:
    """Make `n` verified mutants, write the pool (or `out`), and return the figures.

    Raises:
        CorpusError: there is no `out`, and the pool holds more than could be made.
    """
    from env_lib.envs.repair.generate import generate as make
    from env_lib.envs.repair.pool_store import write_pool

    made = make(n, seed)
    target = write_pool(made, out)
    return {"made": len(made.rows), "file": target.name} | made.record()


def validate() -> list[str]:
    """Return what is wrong with the functions, the named tasks and a sample of the pool.

    The sample is even, of about `checks.POOL_SAMPLE` mutants.
    """
    from env_lib.envs.repair.checks import faults

    return faults()


def _rows() -> list[dict[str, Any]]:
    return [
        {
            "split": split,
            "bugs": order,
            "function": task.function,
            "kind": "+".join(sorted(set(task.kinds))),
            "id": task.id,
        }
        for split in corpus.SPLITS
        for order in corpus.ORDERS
        for task in corpus.pool(split, order)
    ]


def tables() -> dict[str, pd.DataFrame]:
    """Return `splits` (functions and tasks, `scored`) and `truth` (kinds of one bug by split)."""
    import pandas as pd

    frame = pd.DataFrame(_rows())
    splits = frame.groupby(["split", "bugs"], sort=False).agg(
        functions=("function", "nunique"), scored=("id", "nunique")
    )
    single = frame[frame["bugs"] == 1]
    kinds = single.groupby("kind")["split"].value_counts().unstack(fill_value=0)
    return {
        "splits": splits.reset_index(),
        "truth": kinds.reindex(columns=list(corpus.SPLITS), fill_value=0),
    }
