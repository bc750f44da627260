"""What repair shows beside what every duty shows: which tasks are solved, by kind of bug."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.envs.repair.drawing import SCENARIOS
from env_lib.plots.plays import last_line, plays
from env_lib.plots.reported import Reported
from env_lib.plots.shares import shares_by_group

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from env_lib.rollout import Episode, Step

SHOWN = ("oracle", "search", "q_learning", "grpo", "sft", "base_few_shot")
"""Policies of the figure, where they are there."""
ALL = "all"
NOTHING = " last edit gained nothing"
"""What a prompt's last line says of an edit that gained nothing."""
COLUMNS = ["policy", "training_seed", "split", "group", "tasks", "solved", "share", "low", "high"]


def _groups(episode: Episode) -> list[str]:
    """What a task counts for: all, its tier, and its kind of bug where it has one bug."""
    from env_lib.envs.repair.env import task_of

    task = task_of(episode.split, SCENARIOS[episode.scenario], episode.seed)
    return [ALL, episode.scenario, *({task.kinds[0]} if len(task.kinds) == 1 else ())]


def tables(episodes: Sequence[tuple[int, Episode]]) -> dict[str, pd.DataFrame]:
    """Return `solved` and `plays`.

    `solved`: possible tasks that hidden tests call solved, with exact intervals. Columns: policy,
    training_seed, split, group (`all`, a tier, or a kind of bug among tasks with one bug), tasks,
    solved, share, low, high (Clopper and Pearson, 95 %, over tasks). Training seeds stand apart.
    `plays`: what models did after an edit that gained nothing, where all tests passed, and
    elsewhere.
    """
    import pandas as pd

    from env_lib.intervals import exact_share

    counts: dict[tuple[str, int, str, str], list[int]] = {}
    for training, episode in episodes:
        if episode.metrics["impossible"]:
            continue
        for group in _groups(episode):
            place = counts.setdefault((episode.policy, training, episode.split, group), [0, 0])
            place[0] += 1
            place[1] += int(episode.metrics["solved"])
    rows = [(*key, n, right, *exact_share(right, n)) for key, (n, right) in sorted(counts.items())]
    return {"solved": pd.DataFrame(rows, columns=COLUMNS), "plays": plays(episodes, _play)}


def _play(step: Step) -> tuple[str, str]:
    """Return what the last line told of tests and edit, and the action."""
    line = last_line(step)
    passing = re.match(r"tests: (\d+) of (\d+) pass", line)
    if passing and passing[1] == passing[2]:
        told = "all pass"
    else:
        told = "gained nothing" if line.partition(";")[2].startswith(NOTHING) else "other"
    return told, step.action["action_type"]


def write_records(run_folder: Path) -> list[Path]:
    """Write trajectories, benchmark and leaderboard of a run; return the files."""
    from env_lib.envs.repair import records

    return sorted(records.write(run_folder).iterdir())


def solved_by_kind(source: pd.DataFrame | Path) -> Figure:
    """Share of tasks solved by hidden tests, by tier and kind of bug; `source` is `solved`."""
    return shares_by_group(source, SHOWN, "share of tasks solved, hidden tests", _rank)


def _rank(group: str) -> tuple[bool, bool, str]:
    """From the top: all, the tiers, the kinds."""
    return group != ALL, not group[0].isupper(), group


FIGURES: Mapping[str, Callable[[Mapping[str, pd.DataFrame]], Any]] = {
    "solved": lambda tables: solved_by_kind(tables["solved"])
}
"""What draws each figure, by the name of its file."""
REPORTED = Reported(
    table="solved",
    value="share",
    across="group",
    columns={ALL: "all tiers"} | {name: f"{name}, {SCENARIOS[name].title}" for name in SCENARIOS},
    policies=SHOWN,
    note="Share of possible tasks that hidden tests call solved, with exact 95 % intervals "
    "(Clopper and Pearson).",
    figures={"solved": "Share of tasks solved by tier and kind of bug"},
)
"""What the results section shows of it."""
