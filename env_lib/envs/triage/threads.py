"""The threads that episodes draw: rows of the store with their truth and a split by time."""

from collections import defaultdict
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from env_lib.envs.triage.facts import default_store, stamp
from env_lib.envs.triage.store import open_store, read_table
from env_lib.envs.triage.truth import Truth, truth_of, under_described


@dataclass(frozen=True, slots=True)
class Thread:
    """One thread as episodes draw it; truth and split are hidden from policies."""

    repo: str
    """owner/name."""
    number: int
    """Number in its repository; follows time."""
    kind: str
    """One of KINDS."""
    state: str
    """One of STATES."""
    created_at: str | None
    """ISO date or date and time, None where it is not known."""
    title: str
    """Title, scrubbed."""
    body: str
    """Text, scrubbed."""
    labels: tuple[str, ...]
    """The repository's own labels."""
    category: str
    """Recorded type, one of LABELS; empty where none is recorded."""
    under_described: bool
    """A bug, install or performance issue with neither repro, versions nor traceback."""
    author: str | None
    """Pseudonym, None in the bundled facts."""
    truth: Truth
    """What the maintainers did."""
    split: str
    """"train", "val" or "test"."""


def split_of(rank: int, count: int) -> str:
    """Split of the thread at `rank` (0 is the oldest) of `count` in a repository: 70, 15, 15 %."""
    if rank < count * 70 // 100:
        return "train"
    return "val" if rank < count * 85 // 100 else "test"


def _thread(record: Mapping[str, Any], there: set[int], split: str) -> Thread:
    truth = truth_of(record)
    if truth.duplicate_of is not None and truth.duplicate_of not in there:
        truth = replace(truth, scored=False)  # nobody can find a target that the store lacks
    same = ("repo", "number", "kind", "state", "created_at", "title", "body", "author")
    return Thread(
        **{key: record[key] for key in same},
        labels=tuple(record["labels"]),
        category=record["category"] or "",
        under_described=under_described(record),
        truth=truth,
        split=split,
    )


@lru_cache(maxsize=8)
def _load(path: Path, state: tuple[int, int]) -> tuple[Thread, ...]:
    del state  # part of the cache's key alone
    by_repo = defaultdict(list)
    with closing(open_store(path)) as store:
        for record in read_table(store, "issues"):
            by_repo[record["repo"]].append(record)
    threads = []
    for _, records in sorted(by_repo.items()):
        there = {record["number"] for record in records}
        for rank, record in enumerate(records):
            threads.append(_thread(record, there, split_of(rank, len(records))))
    return tuple(threads)


def load_threads(path: Path | None = None) -> tuple[Thread, ...]:
    """All threads of a store by repository and number, read once for each state of the file.

    A duplicate whose target the store does not hold is not scored. Raises as `open_store` does.
    """
    open_store(path).close()
    target = Path(path) if path is not None else default_store()
    return _load(target.resolve(), stamp(target))
