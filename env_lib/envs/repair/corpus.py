"""The functions, the named tasks and the pool of verified mutants under `data/repair/`.

Splits never share a function: a function's split follows from its name alone, so that adding one
moves no other. `test_ood` takes the functions of `test` with kinds that no other split has.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from env_lib.core import unit_noise
from env_lib.paths import DATA
from env_lib.runs import read_jsonl

SPLITS = ("train", "val", "test", "test_ood")
TRAIN_SHARE, VAL_SHARE = 0.55, 0.15
ORDERS = (1, 2, 3)


class CorpusError(ValueError):
    """A function, a task or the pool is not as it should be; the message names file and reason."""


@dataclass(frozen=True)
class Function:
    """One right function with its visible and hidden tests."""

    name: str
    source: str
    tests: str
    hidden: str


@dataclass(frozen=True)
class Task:
    """One broken program: `reference` passes all tests, `source` fails visible and hidden ones."""

    id: str
    function: str
    kinds: tuple[str, ...]
    """Mutation kinds, one a bug."""
    source: str
    reference: str
    tests: str
    hidden: str
    impossible: bool = False

    def frozen_hidden(self) -> str:
        """Return the hidden tests with their random inputs drawn once."""
        from env_lib.envs.repair.freeze import frozen

        return frozen(self.hidden, self.reference)


def folder() -> Path:
    """Return the folder of the bundled data."""
    return DATA / "repair"


def _read(path: Path) -> str:
    if not path.is_file():
        raise CorpusError(f"{path.parent.name}/{path.name} is missing")
    return path.read_text(encoding="utf-8")


def _metadata(path: Path) -> dict[str, Any]:
    try:
        told = json.loads(_read(path))
    except ValueError as error:
        raise CorpusError(f"{path.parent.name}/{path.name}: {error}") from error
    missing = [key for key in ("id", "function", "kind") if key not in told]
    if missing:
        raise CorpusError(f"{path.parent.name}/{path.name}: {', '.join(missing)} missing")
    return dict(told)


@lru_cache(maxsize=4)
def functions(root: Path | None = None) -> dict[str, Function]:
    """Return the corpus by name, sorted."""
    home = (root or folder()) / "functions"
    found = {}
    for place in sorted(p for p in home.iterdir() if p.is_dir()):
        parts = (_read(place / f"{part}.py") for part in ("solution", "tests", "hidden_tests"))
        found[place.name] = Function(place.name, *parts)
    if not found:
        raise CorpusError(f"no function under {home.name}/; one folder a function is needed")
    return found


@lru_cache(maxsize=4)
def named_tasks(root: Path | None = None) -> dict[str, Task]:
    """Return the named tasks by id, sorted.

    Raises:
        CorpusError: a file is missing, or metadata cannot be read; the message names it.
    """
    found = {}
    for place in sorted(p for p in ((root or folder()) / "tasks").iterdir() if p.is_dir()):
        told = _metadata(place / "metadata.json")
        found[told["id"]] = Task(
            id=told["id"],
            function=told["function"],
            kinds=(told["kind"],),
            source=_read(place / "buggy.py"),
            reference=_read(place / "fixed.py"),
            tests=_read(place / "tests.py"),
            hidden=_read(place / "hidden_tests.py"),
        )
    return found


def split_of(function: str) -> str:
    """Return the split of a function, from its name alone."""
    place = unit_noise("repair split", function)
    if place < TRAIN_SHARE:
        return "train"
    return "val" if place < TRAIN_SHARE + VAL_SHARE else "test"


def belongs(function: str, kinds: tuple[str, ...], split: str) -> bool:
    """Whether a mutant of these kinds is of the split; mixed ones are of none."""
    from env_lib.envs.repair.mutate import OOD_KINDS

    unseen = {kind in OOD_KINDS for kind in kinds}
    home = "test" if split == "test_ood" else split
    return split_of(function) == home and unseen == {split == "test_ood"}


def pool_file() -> Path:
    """Return the file of verified mutants that `generate repair` writes."""
    return folder() / "pool.jsonl"


@lru_cache(maxsize=2)
def _pool_rows(path: Path) -> tuple[Task, ...]:
    known = functions()
    rows = []
    for row in read_jsonl(path):
        if row["function"] not in known:
            raise CorpusError(f"{path.name}: unknown function {row['function']!r}; build it anew")
        home = known[row["function"]]
        rows.append(
            Task(
                id=row["id"],
                function=home.name,
                kinds=tuple(row["kinds"]),
                source=row["source"],
                reference=home.source,
                tests=home.tests,
                hidden=home.hidden,
            )
        )
    return tuple(rows)


@lru_cache(maxsize=32)
def pool(split: str, order: int) -> tuple[Task, ...]:
    """Return the tasks of a split with `order` bugs, in a fixed shuffled order; named ones too.

    Raises:
        CorpusError: there is none; the message says how to make some.
    """
    found = [
        task
        for task in (*_pool_rows(pool_file()), *named_tasks().values())
        if len(task.kinds) == order and belongs(task.function, task.kinds, split)
    ]
    if not found:
        raise CorpusError(
            f"no verified task with {order} bugs in {split}; make some: "
            "python -m env_lib generate repair --n 2000"
        )
    return tuple(sorted(found, key=lambda task: unit_noise("order", split, task.id)))
