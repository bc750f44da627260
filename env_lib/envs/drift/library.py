"""The repair library: repairs that worked on train tasks, deduplicated, and how to recall them.

A row holds the repair in its short form and the error that it followed, with the script's own
values left out. Only the train split fills it: `python -m env_lib.envs.drift.library`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from env_lib.paths import DATA

if TYPE_CHECKING:
    from env_lib.envs.drift.records import Task

SPLIT = "train"
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True)
class Repair:
    """A repair that worked."""

    library: str
    error_type: str
    """"" where the script had run with another result."""
    words: str
    """Names in the error message, sorted."""
    primitive: str
    old: str
    new: str

    def line(self) -> str:
        """Return it as one line of a prompt."""
        after = self.error_type or "another result"
        return f"worked on {after}: {self.primitive} {self.old} {self.new}".rstrip()


def library_file() -> Path:
    """Return where the library lies."""
    return DATA / "drift" / "repair_library.jsonl"


def deduplicated(found: Iterable[Repair]) -> list[Repair]:
    """Return the repairs once each, told apart by primitive, old and new; sorted."""
    kept: dict[tuple[str, str, str], Repair] = {}
    for one in found:
        kept.setdefault((one.primitive, one.old, one.new), one)
    return [kept[key] for key in sorted(kept)]


def successes(tasks: Iterable[Task]) -> Iterator[Repair]:
    """Yield the repairs with which the oracle mends tasks.

    Raises:
        ValueError: a task that is not of the train split.
    """
    from env_lib.envs.drift.edits import change_of
    from env_lib.envs.drift.env import DriftEnv
    from env_lib.envs.drift.render import error_words

    for task in tasks:
        if task.split != SPLIT:
            raise ValueError(f"task {task.id} is of {task.split}; the library holds {SPLIT} alone")
        env = DriftEnv(scenario=task.tier, split=SPLIT, task=task)
        obs, made = env.reset(seed=0), []
        while not obs.done:
            action = env.oracle_action()
            if action.action_type == "apply":
                change = change_of(action)
                words = " ".join(sorted(set(error_words(obs.message))))
                parts = (change.primitive, change.old, change.new)
                made.append(Repair(task.library, obs.error_type, words, *parts))
            obs = env.step(action)
        if obs.metadata["held_out"]["solved"]:
            yield from made


def write(rows: Iterable[Repair], path: Path | None = None) -> Path:
    """Write the library; return the file."""
    from env_lib.runs import write_text

    path = path or library_file()
    write_text(path, "".join(json.dumps(asdict(row), ensure_ascii=False) + "\n" for row in rows))
    rows_of.cache_clear()
    return path


def fill() -> int:
    """Make the library anew from every train task; return how many repairs it holds."""
    from env_lib.envs.drift.env import SCENARIOS
    from env_lib.envs.drift.pool import pool

    rows = deduplicated(successes(task for tier in SCENARIOS for task in pool(SPLIT, tier)))
    write(rows)
    return len(rows)


@lru_cache(maxsize=8)
def rows_of(path: Path) -> tuple[Repair, ...]:
    """Return the rows of a library's file, () where there is none."""
    if not path.is_file():
        return ()
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(Repair(**json.loads(line)) for line in lines)


def recall(
    error_type: str, message: str, source: str, count: int, path: Path | None = None
) -> tuple[str, ...]:
    """Return lines of the repairs that are likest to an error: same class, shared words.

    A repair whose old word the script does not have is no use and is left out.
    """
    words = set(_WORD.findall(message.lower()))

    def score(row: Repair) -> float:
        mine = set(_WORD.findall(f"{row.words} {row.old}".lower()))
        return (row.error_type == error_type) + len(mine & words) / (1 + len(mine))

    here = [row for row in rows_of(path or library_file()) if _names(row.old) & _names(source)]
    ranked = sorted(here, key=lambda row: (-score(row), row.primitive, row.old, row.new))
    return tuple(row.line() for row in ranked[:count] if score(row) > 0)


def _names(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w{2,}", text))


if __name__ == "__main__":
    print(f"{fill()} repairs in {library_file().name}")
