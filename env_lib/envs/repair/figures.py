"""What repair shows beside what every duty shows: which tasks are solved, by kind of bug."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.envs.repair.drawing import SCENARIOS
from env_lib.plots import style
from env_lib.plots.reported import Reported
from env_lib.plots.style import CYCLE, MARKERS

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from env_lib.rollout import Episode

SHOWN = ("oracle", "search", "q_learning", "grpo", "sft", "base_few_shot")
"""Policies of the figure, where they are there."""
ALL = "all"
COLUMNS = ["policy", "training_seed", "split", "group", "tasks", "solved", "share", "low", "high"]


def _groups(episode: Episode) -> list[str]:
    """What a task counts for: all, its tier, and its kind of bug where it has one bug."""
    from env_lib.envs.repair.env import task_of

    task = task_of(episode.split, SCENARIOS[episode.scenario], episode.seed)
    return [ALL, episode.scenario, *({task.kinds[0]} if len(task.kinds) == 1 else ())]


def tables(episodes: Sequence[tuple[int, Episode]]) -> dict[str, pd.DataFrame]:
    """Return `solved`: possible tasks that hidden tests call solved, with exact intervals.

    Columns: policy, training_seed, split, group (`all`, a tier, or a kind of bug among tasks with
    one bug), tasks, solved, share, low, high (Clopper and Pearson, 95 %, over tasks). Training
    seeds stand apart.
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
    return {"solved": pd.DataFrame(rows, columns=COLUMNS)}


def write_records(run_folder: Path) -> list[Path]:
    """Write trajectories, benchmark and leaderboard of a run; return the files."""
    from env_lib.envs.repair import records

    return sorted(records.write(run_folder).iterdir())


@style.figure
def solved_by_kind(source: pd.DataFrame | Path) -> Figure:
    """Share of tasks solved by hidden tests, by tier and kind of bug; a panel a split.

    `source` is `tables`' `solved`; bars are exact 95 % intervals, of the first training seed. After
    each name stand its tasks, from the policy with fewest to that with most.
    """
    table = style.table_of(source)
    style.need(table, *COLUMNS)
    splits = sorted(table["split"].unique())
    kinds = {split: _order(table[table["split"] == split]["group"]) for split in splits}
    longest = max(len(order) for order in kinds.values())
    fig, axes = style.canvas(1, len(splits), height=1.6 + 0.42 * longest, sharex=True)
    for ax, split in zip([axes] if len(splits) == 1 else axes.flat, splits, strict=True):
        _panel(ax, table[table["split"] == split], kinds[split])
        ax.set_title(split)
    fig.supxlabel(
        "share of tasks solved, hidden tests, first training seed (right is better)", fontsize=10
    )
    handles, labels = fig.axes[0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside upper center", ncols=3)
    return fig


def _order(groups: pd.Series) -> list[str]:
    """From the top: all, the tiers, the kinds."""
    return sorted(set(groups), key=lambda name: (name != ALL, not name[0].isupper(), name))


def _panel(ax: Any, table: pd.DataFrame, order: Sequence[str]) -> None:
    names = [name for name in SHOWN if name in set(table["policy"])]
    counts = table[table["policy"].isin(names)].groupby("group")["tasks"].agg(["min", "max"])
    told = {
        group: str(low) if low == high else f"{low}-{high}"
        for group, low, high in counts.itertuples()
    }
    for i, name in enumerate(names):
        rows = table[table["policy"] == name]
        rows = rows[rows["training_seed"] == rows["training_seed"].min()]
        at = [order.index(g) + 0.11 * (i - (len(names) - 1) / 2) for g in rows["group"]]
        bars = style.whiskers(rows["share"], rows["low"], rows["high"])
        ax.errorbar(
            rows["share"], at, xerr=bars, fmt=MARKERS[i], color=CYCLE[i], label=name, capsize=2,
            elinewidth=1,
        )  # fmt: skip
    ax.set_yticks(range(len(order)), [f"{name} ({told.get(name, 0)})" for name in order])
    ax.set_ylim(len(order) - 0.5, -0.5)
    ax.set_xlim(-0.03, 1.03)


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
