"""Stored episodes, and the proof that they earned what they say: replay from the actions alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from env_lib.rollout import Episode, replay_episode
from env_lib.runs import read_jsonl, write_jsonl

EPISODES = Path("eval") / "episodes"


def write_episodes(path: Path, episodes: Sequence[Episode]) -> None:
    """Write one episode a line, atomically."""
    write_jsonl(path, [episode.record() for episode in episodes])


def read_episodes(path: Path) -> list[Episode]:
    """Read episodes as `write_episodes` wrote them."""
    return [Episode.from_record(row) for row in read_jsonl(path)]


def stored_files(run_folder: Path) -> list[Path]:
    """Return the files of a run's episodes.

    Raises:
        FileNotFoundError: the run holds no episodes.
    """
    files = sorted((run_folder / EPISODES).glob("*.jsonl"))
    if not files:
        raise FileNotFoundError(
            f"no episodes under {run_folder / EPISODES}; notebook 04 writes them"
        )
    return files


def stored_episodes(run_folder: Path, duty: str) -> list[Episode]:
    """Read all episodes of a run of one duty.

    Raises:
        FileNotFoundError: the run holds no episodes.
        ValueError: they are of another duty.
    """
    episodes = [e for file in stored_files(run_folder) for e in read_episodes(file)]
    if other := {episode.duty for episode in episodes} - {duty}:
        raise ValueError(f"{run_folder} holds episodes of {other.pop()}, and not of {duty}")
    return episodes


@dataclass
class Reverified:
    """What was replayed, and every episode that does not agree with its actions."""

    files: int = 0
    episodes: int = 0
    steps: int = 0
    mismatches: list[str] = field(default_factory=list)

    @property
    def ok(self) -> bool:
        """Whether there were episodes and all of them agree."""
        return self.episodes > 0 and not self.mismatches

    def record(self) -> dict[str, Any]:
        """Return the report as JSON."""
        return vars(self) | {"ok": self.ok}


def reverify(run_folder: Path | str) -> Reverified:
    """Replay every stored episode under `run_folder` and compare it exactly.

    Raises:
        FileNotFoundError: the run holds no episodes.
    """
    files = stored_files(Path(run_folder))
    report = Reverified(files=len(files))
    for file in files:
        for number, row in enumerate(read_jsonl(file), start=1):
            report.episodes += 1
            report.steps += len(row["steps"])
            if fault := first_mismatch(row):
                report.mismatches.append(f"{file.name} line {number}: {fault}")
    return report


def first_mismatch(row: dict[str, Any]) -> str:
    """Say where a stored episode and its replay part, "" where they agree exactly.

    A replay that cannot be made is a mismatch too: more actions than the episode has steps, or an
    action or a setting that the duty does not know.
    """
    stored = Episode.from_record(row)
    try:
        again = replay_episode(stored).record()
    except (RuntimeError, ValueError, KeyError) as error:
        return f"cannot be replayed: {type(error).__name__}: {' '.join(str(error).split())}"
    for i, (old, new) in enumerate(zip(row["steps"], again["steps"], strict=True)):
        for name in ("prompt", "reward", "components"):
            if old[name] != new[name]:
                return f"step {i}: {name} stored {old[name]!r}, replayed {new[name]!r}"
    for name in ("stop_reason", "metrics", "total_reward", "trajectory_hash"):
        if row[name] != again[name]:
            return f"{name} stored {row[name]!r}, replayed {again[name]!r}"
    return ""
