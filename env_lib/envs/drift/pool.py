"""The pool of verified tasks, `data/drift/tasks.jsonl`, and how it is made.

A line holds what cannot be had from the seed scripts: the broken source of a real breakage (an
overlay's is the script itself), the repairs, the overlay, and inputs and values of a row that is a
script of its own. The reference is what the repairs lead to.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from env_lib.core import unit_noise
from env_lib.envs.drift import corpus
from env_lib.envs.drift.corpus import CorpusError, folder
from env_lib.envs.drift.primitives import apply
from env_lib.envs.drift.records import TIERS, Change, Overlay, Task
from env_lib.runs import read_json, read_jsonl, write_json, write_jsonl

if TYPE_CHECKING:
    from env_lib.envs.drift.aging import Aged

SHARES = {
    "train": {"D1": 90, "D2": 64, "D3": 64, "D4": 62},
    "val": {"D1": 26, "D2": 14, "D3": 16, "D4": 14},
    "test": {"D1": 40, "D2": 16, "D3": 18, "D4": 14},
    "test_ood": {"D1": 32, "D2": 16, "D3": 18, "D4": 18},
}
"""Tasks at most by split and tier, of a whole pool."""
WHOLE = sum(number for tiers in SHARES.values() for number in tiers.values())


def pool_file() -> Path:
    """Return the file of verified tasks that `generate drift` writes."""
    return folder() / "tasks.jsonl"


def expected_file() -> Path:
    """Return the file with what each seed script returns."""
    return folder() / "expected.json"


def _changes(rows: Iterable[Iterable[str]]) -> tuple[Change, ...]:
    return tuple(Change(*row) for row in rows)


def _plain(changes: Iterable[Change]) -> list[list[str]]:
    return [[one.primitive, one.target, one.old, one.new] for one in changes]


def row_of(task: Task) -> dict[str, Any]:
    """Return the task as a line of the pool."""
    row: dict[str, Any] = {
        "id": task.id, "script": task.script, "library": task.library, "split": task.split,
        "tier": task.tier, "kind": task.kind, "silent": task.silent,
        "repairs": _plain(task.repairs),
    }  # fmt: skip
    if task.overlay.changes:
        row["overlay"] = _plain(task.overlay.changes)
    else:
        row |= {"breakages": list(task.breakages), "source": task.source}
    if task.script not in corpus.scripts():
        row |= {"inputs": list(task.inputs), "expected": list(task.expected)}
    return row


def task_of(row: dict[str, Any], values: dict[str, list[Any]]) -> Task:
    """Return the task of a line.

    Raises:
        CorpusError: it names a script that is not there, and has no inputs of its own.
    """
    script = corpus.scripts().get(row["script"])
    if script is None and "inputs" not in row:
        raise CorpusError(f"{row['id']}: no script {row['script']!r}; build the pool anew")
    source = row.get("source", script.source if script else "")
    repairs = _changes(row["repairs"])
    reference = source
    for change in repairs:
        reference = apply(reference, change)
    return Task(
        id=row["id"],
        script=row["script"],
        library=row["library"],
        split=row["split"],
        kind=row["kind"],
        silent=row["silent"],
        source=source,
        reference=reference,
        overlay=Overlay(_changes(row.get("overlay", ()))),
        repairs=repairs,
        breakages=tuple(row.get("breakages", ())),
        inputs=tuple(row["inputs"]) if script is None else script.inputs,
        expected=tuple(row["expected"] if script is None else values[row["script"]]),
        tier=row["tier"],
    )


@lru_cache(maxsize=2)
def _lines(path: Path) -> tuple[dict[str, Any], ...]:
    if not path.is_file():
        raise CorpusError(f"{path.name} is missing; python -m env_lib generate drift --n {WHOLE}")
    return tuple(read_jsonl(path))


class Tasks(Sequence[Task]):
    """Lines of the pool as tasks, each made when it is asked for: its reference takes edits."""

    def __init__(self, lines: Sequence[dict[str, Any]], values: dict[str, list[Any]]) -> None:
        """Take the lines in their order, and what each seed script returns."""
        self._lines, self._values = tuple(lines), values
        self._made: dict[int, Task] = {}

    def __len__(self) -> int:
        """Return how many tasks there are."""
        return len(self._lines)

    @overload
    def __getitem__(self, at: int) -> Task: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Task, ...]: ...
    def __getitem__(self, at: int | slice) -> Task | tuple[Task, ...]:
        """Return a task, or some."""
        if isinstance(at, slice):
            return tuple(self[n] for n in range(*at.indices(len(self))))
        place = range(len(self))[at]
        if place not in self._made:
            self._made[place] = task_of(self._lines[place], self._values)
        return self._made[place]


@lru_cache(maxsize=32)
def pool(split: str, tier: str) -> Tasks:
    """Return the tasks of a split and tier in a fixed shuffled order.

    Raises:
        CorpusError: there is none, or no such split or tier.
    """
    lines = [r for r in _lines(pool_file()) if (r["split"], r["tier"]) == (split, tier)]
    if not lines:
        raise CorpusError(
            f"no task of tier {tier!r} in {split!r}; splits: {', '.join(SHARES)}; "
            f"tiers: {', '.join(TIERS)}"
        )
    values = read_json(expected_file())
    lines.sort(key=lambda row: unit_noise("order", split, row["id"]))
    return Tasks(lines, values)


def rows() -> tuple[dict[str, Any], ...]:
    """Return the lines of the pool as they stand."""
    return _lines(pool_file())


def made(n: int = WHOLE, seed: int = 0, only: Iterable[str] = tuple(SHARES)) -> Iterator[Task]:
    """Yield about `n` verified tasks, the splits in turn, each tier by its share."""
    from env_lib.envs.drift import making

    seen: set[str] = set()

    def new(tasks: Iterable[Task]) -> Iterator[Task]:
        for task in tasks:
            if task.id not in seen:
                seen.add(task.id)
                yield task

    for split in only:
        rng = random.Random(f"drift {seed} {split}")
        most = {tier: max(1, round(share * n / WHOLE)) for tier, share in SHARES[split].items()}
        woven = _apart(making.woven(split))
        real = [task for task, _ in woven]
        rng.shuffle(real)
        alone = list(making.alone(split))
        loud = [task for task in (*real, *alone) if not task.silent]
        silent = [task for task in (*real, *alone) if task.silent]
        yield from itertools.islice(new(loud), most["D1"])
        yield from itertools.islice(new(making.several(split, woven, rng)), most["D2"])
        yield from itertools.islice(new(making.drifted(split, False, rng)), most["D3"])
        further = making.drifted(split, True, rng)
        yield from itertools.islice(new(itertools.chain(silent, further)), most["D4"])


def _apart(woven: Iterable[tuple[Task, Aged]]) -> list[tuple[Task, Aged]]:
    """Return the weaves without those of another row that give the same script."""
    return list({task.source: (task, aged) for task, aged in reversed(list(woven))}.values())[::-1]


def write(tasks: Iterable[Task], out: Path | None = None) -> Path:
    """Write tasks, each once, to the pool (or `out`); return the file."""
    from env_lib.envs.drift.making import expected

    unique = {task.id: task for task in tasks}
    target = out or pool_file()
    if out is None:
        scripts = corpus.scripts().values()
        write_json(expected_file(), {s.name: list(expected(s.source, s.inputs)) for s in scripts})
    write_jsonl(target, [row_of(task) for task in unique.values()])
    _lines.cache_clear()
    pool.cache_clear()
    return target
