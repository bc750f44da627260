"""What drift shows beside what every duty shows: which tasks are solved, by library and by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.envs.drift.action import DriftAction
from env_lib.envs.drift.edits import words_of
from env_lib.envs.drift.env import SCENARIOS
from env_lib.plots.plays import NAMED, OTHER, named, plays
from env_lib.plots.reported import Reported
from env_lib.plots.shares import shares_by_group

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from env_lib.envs.drift.records import Task
    from env_lib.rollout import Episode, Step

SHOWN = (
    "oracle", "primitive_search", "signature_reader", "traceback_reader", "grpo", "sft",
    "base_few_shot",
)  # fmt: skip
"""Policies of the figures, where they are there."""
ALL = "all"
COLUMNS = [
    "policy", "training_seed", "split", "by", "group", "tasks", "solved", "share", "low", "high",
]  # fmt: skip
SILENT = "silent"


def groups_of(task: Task, tier: str) -> list[tuple[str, str]]:
    """Return (by, group) of what a task counts for; silent drifts stand apart from the kinds.

    A real drift has the kind of its row, an overlay that of its primitive; a task of two or three
    rows counts once: for their kind where they share it, else for `several`.
    """
    kind = f"{task.kind} ({SILENT})" if task.silent else task.kind
    return [("all", ALL), ("tier", tier), ("library", task.library), ("kind", kind)]


def tables(episodes: Sequence[tuple[int, Episode]]) -> dict[str, pd.DataFrame]:
    """Return `solved` and `plays`.

    `solved`: tasks that the held-out judge calls solved, with exact intervals. Columns: policy,
    training_seed, split, by (all, tier, library, kind), group, tasks, solved, share, low, high
    (Clopper and Pearson, 95 %, over tasks). A task that several seeds drew counts once. Training
    seeds stand apart, and so do the silent drifts of each kind. `plays`: what models did, and how
    often the prompt's last line named just that.
    """
    import pandas as pd

    from env_lib.envs.drift.env import task_of
    from env_lib.intervals import exact_share

    counts: dict[tuple[str, int, str, str, str], list[int]] = {}
    seen: set[tuple[str, int, str]] = set()
    for training, episode in episodes:
        task = task_of(episode.split, episode.scenario, episode.seed)
        if (one := (episode.policy, training, task.id)) in seen:
            continue
        seen.add(one)
        for by, group in groups_of(task, episode.scenario):
            key = (episode.policy, training, episode.split, by, group)
            place = counts.setdefault(key, [0, 0])
            place[0] += 1
            place[1] += int(episode.metrics["solved"])
    rows = [(*key, n, right, *exact_share(right, n)) for key, (n, right) in sorted(counts.items())]
    return {"solved": pd.DataFrame(rows, columns=COLUMNS), "plays": plays(episodes, _play)}


def _play(step: Step) -> tuple[str, str]:
    """Return whether the last line named the action, and its kind."""
    did, kind = step.action, step.action["action_type"]
    words = f"inspect {did.get('symbol')}" if kind == "inspect" else ""
    if kind == "apply":
        words = words_of(DriftAction(**did))
    return NAMED if words in named(step) else OTHER, kind


def solved_by(source: pd.DataFrame | Path, by: str) -> Figure:
    """Share of tasks solved on all inputs, by `library` or `kind`; `source` is `solved`."""
    return shares_by_group(source, SHOWN, "share of tasks solved, all inputs", _rank, by)


def _rank(group: str) -> tuple[bool, bool, str]:
    """From the top: all, then by name, silent kinds last."""
    return group != ALL, SILENT in group, group


FIGURES: Mapping[str, Callable[[Mapping[str, pd.DataFrame]], Any]] = {
    "solved_by_library": lambda tables: solved_by(tables["solved"], "library"),
    "solved_by_kind": lambda tables: solved_by(tables["solved"], "kind"),
}
"""What draws each figure, by the name of its file."""
REPORTED = Reported(
    table="solved",
    value="share",
    across="group",
    columns={ALL: "all tiers"} | {name: f"{name}, {SCENARIOS[name].title}" for name in SCENARIOS},
    policies=SHOWN,
    note="Share of tasks whose script is right on all three inputs with the current interface, "
    "with exact 95 % intervals (Clopper and Pearson).",
    figures={
        "solved_by_library": "Share of tasks solved by library",
        "solved_by_kind": "Share of tasks solved by kind of change, of its row or of the "
        "overlay, silent ones apart; several: rows of more than one kind",
    },
)
"""What the results section shows of it."""
