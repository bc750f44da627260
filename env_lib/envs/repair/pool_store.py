"""The file of the pool: how many mutants it holds, and what may take their place."""

from __future__ import annotations

from pathlib import Path

from env_lib.envs.repair.corpus import CorpusError, pool_file
from env_lib.envs.repair.verify import Made
from env_lib.runs import write_json, write_jsonl


def pool_size() -> int:
    """Return how many mutants the pool holds, 0 where there is none."""
    if not pool_file().is_file():
        return 0
    with pool_file().open(encoding="utf-8") as file:
        return sum(1 for line in file if line.strip())


def keep_the_pool(number: int) -> None:
    """Refuse to let fewer mutants take the place of the pool's.

    Raises:
        CorpusError: the pool holds more than `number`; the message names both.
    """
    there = pool_size()
    if number < there:
        raise CorpusError(
            f"{number} mutants would take the place of the {there} of {pool_file().name}; "
            "make as many, or name another file with --out"
        )


def write_pool(made: Made, path: Path | None = None) -> Path:
    """Write the pool that episodes are drawn from, and beside it `.json`: how it was made.

    Raises:
        CorpusError: there is no `path`, and the pool holds more than was made.
    """
    if path is None:
        keep_the_pool(len(made.rows))
    target = path or pool_file()
    write_jsonl(target, made.rows)
    write_json(target.with_suffix(".json"), made.record())
    return target
