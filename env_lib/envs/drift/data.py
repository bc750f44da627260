"""What notebook 01 asks of a duty: `build` its data, and `tables` that show what is there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.envs.drift import breakages, corpus, pool
from env_lib.runs import file_hash, write_json

if TYPE_CHECKING:
    import pandas as pd

SAMPLE = 12
"""Tasks that `validate` runs again, spread over splits and tiers."""


def build(live_repo: str = "") -> dict[str, Any]:
    """Make the pool of verified tasks where it is missing.

    Args:
        live_repo: `library==old..new` compares two releases from the package registry and adds
            what running confirms to `data/drift/cache/`; see `compare`.

    Raises:
        ValueError: `live_repo` has another form, or names a library that is not compared.
    """
    report: dict[str, Any] = {}
    if live_repo:
        from env_lib.envs.drift.compare import asked, compare, names_of

        chosen = asked(live_repo)
        facts, left_out = compare(*chosen)
        target = corpus.folder() / "cache" / f"compared-{'-'.join(chosen)}.json"
        write_json(target, {"left_out": left_out, "facts": [vars(fact) for fact in facts]})
        report |= {"confirmed": len(facts), "left_out": left_out, "names": names_of(facts)}
        report |= {"facts": f"cache/{target.name}"}
    if not pool.pool_file().is_file():
        report |= generate(pool.WHOLE)
    return {
        "scripts": len(corpus.scripts()),
        "breakages": len(breakages.breakages()),
        "tasks": len(pool.rows()),
        "hash": file_hash(pool.pool_file()),
    } | report


def pool_size() -> int:
    """Return how many tasks the pool holds, 0 where there is none."""
    return len(pool.rows()) if pool.pool_file().is_file() else 0


def generate(n: int, seed: int = 0, out: Path | None = None) -> dict[str, Any]:
    """Make about `n` verified tasks, write the pool (or `out`), and return the counts.

    Raises:
        ValueError: fewer came out than the pool holds, and there is no `out`.
    """
    tasks = list(pool.made(n, seed))
    if out is None and len(tasks) < pool_size():
        raise ValueError(
            f"{len(tasks)} tasks were made and the pool holds {pool_size()}: use --out"
        )
    target = pool.write(tasks, out)
    counts: dict[str, int] = {}
    for task in tasks:
        key = f"{task.split} {task.tier}"
        counts[key] = counts.get(key, 0) + 1
    return {"made": len(tasks), "file": target.name} | counts


def validate() -> list[str]:
    """Return what is wrong with the scripts, the rows, the pool's splits and a sample of its tasks.

    A script that takes too long is wrong, too. The sample is even, of about `SAMPLE` tasks, each
    run again.
    """
    from env_lib.envs.drift import making, shared
    from env_lib.envs.drift.runner import cpu_seconds

    problems = shared.faults(pool.rows())
    for name, script in corpus.scripts().items():
        values = making.expected(script.source, script.inputs)
        if not values:
            problems.append(f"script {name} fails on the installed releases")
        took = cpu_seconds(script.source, script.inputs)
        if took > corpus.SECONDS:
            problems.append(
                f"script {name} takes {took:.1f} s of a processor; at most {corpus.SECONDS:.0f}"
            )
    tasks = [task for s, tiers in pool.SHARES.items() for t in tiers for task in pool.pool(s, t)]
    for task in tasks[:: max(1, len(tasks) // SAMPLE)]:
        if making.verified(task) is None:
            problems.append(f"task {task.id} does not break, or is not mended by its repairs")
    return problems


def tables() -> dict[str, pd.DataFrame]:
    """Return `splits` (scripts, libraries and tasks by tier, `scored`) and `truth` (kinds)."""
    import pandas as pd

    frame = pd.DataFrame(
        {name: row[name] for name in ("split", "tier", "script", "library", "kind", "id", "silent")}
        for row in pool.rows()
    )
    counts = frame.groupby(["split", "tier"], sort=False).agg(
        scripts=("script", "nunique"),
        libraries=("library", "nunique"),
        silent=("silent", "sum"),
        scored=("id", "nunique"),
    )
    kinds = frame.groupby("kind")["split"].value_counts().unstack(fill_value=0)
    return {
        "splits": counts.reset_index(),
        "truth": kinds.reindex(columns=list(pool.SHARES), fill_value=0),
    }
