"""What drift shows beside what every duty shows: which tasks are solved, by library and by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.envs.drift.env import SCENARIOS
from env_lib.plots import style
from env_lib.plots.reported import Reported
from env_lib.plots.style import CYCLE, MARKERS

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from env_lib.envs.drift.records import Task
    from env_lib.rollout import Episode

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
    """Return (by, group) of what a task counts for; silent drifts stand apart from the kinds."""
    kind = f"{task.kind} ({SILENT})" if task.silent else task.kind
    return [("all", ALL), ("tier", tier), ("library", task.library), ("kind", kind)]


def tables(episodes: Sequence[tuple[int, Episode]]) -> dict[str, pd.DataFrame]:
    """Return `solved`: tasks that the held-out judge calls solved, with exact intervals.

    Columns: policy, training_seed, split, by (all, tier, library, kind), group, tasks, solved,
    share, low, high (Clopper and Pearson, 95 %, over tasks). Training seeds stand apart, and so do
    the silent drifts of each kind.
    """
    import pandas as pd

    from env_lib.envs.drift.env import task_of
    from env_lib.intervals import exact_share

    counts: dict[tuple[str, int, str, str, str], list[int]] = {}
    for training, episode in episodes:
        task = task_of(episode.split, episode.scenario, episode.seed)
        for by, group in groups_of(task, episode.scenario):
            key = (episode.policy, training, episode.split, by, group)
            place = counts.setdefault(key, [0, 0])
            place[0] += 1
            place[1] += int(episode.metrics["solved"])
    rows = [(*key, n, right, *exact_share(right, n)) for key, (n, right) in sorted(counts.items())]
    return {"solved": pd.DataFrame(rows, columns=COLUMNS)}


@style.figure
def solved_by(source: pd.DataFrame | Path, by: str) -> Figure:
    """Share of tasks solved on all inputs, by `library` or `kind`; a panel a split.

    `source` is `tables`' `solved`; bars are exact 95 % intervals, of the first training seed. After
    each name stand its tasks, from the policy with fewest to that with most.
    """
    table = style.table_of(source)
    style.need(table, *COLUMNS)
    table = table[table["by"].isin(["all", by])]
    splits = sorted(table["split"].unique())
    orders = {split: _order(table[table["split"] == split]["group"]) for split in splits}
    longest = max(len(order) for order in orders.values())
    fig, axes = style.canvas(1, len(splits), height=1.6 + 0.5 * longest, sharex=True)
    for ax, split in zip([axes] if len(splits) == 1 else axes.flat, splits, strict=True):
        _panel(ax, table[table["split"] == split], orders[split])
        ax.set_title(split)
    fig.supxlabel("share of tasks solved, all inputs, first training seed (right is better)",
                  fontsize=10)  # fmt: skip
    handles, labels = fig.axes[0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside upper center", ncols=3)
    return fig


def _order(groups: pd.Series) -> list[str]:
    """From the top: all, then by name, silent kinds last."""
    return sorted(set(groups), key=lambda name: (name != ALL, SILENT in name, name))


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
        at = [order.index(g) + 0.1 * (i - (len(names) - 1) / 2) for g in rows["group"]]
        bars = style.whiskers(rows["share"], rows["low"], rows["high"])
        ax.errorbar(
            rows["share"], at, xerr=bars, fmt=MARKERS[i], color=CYCLE[i], label=name, capsize=2,
            elinewidth=1,
        )  # fmt: skip
    ax.set_yticks(range(len(order)), [f"{name} ({told.get(name, 0)})" for name in order])
    ax.set_ylim(len(order) - 0.5, -0.5)
    ax.set_xlim(-0.03, 1.03)


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
        "solved_by_kind": "Share of tasks solved by kind of change, silent ones apart",
    },
)
"""What the results section shows of it."""
