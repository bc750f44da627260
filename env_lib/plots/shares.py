"""Shares of tasks with exact intervals: groups from top to bottom, policies beside each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.plots import style
from env_lib.plots.style import CYCLE, MARKERS

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

NEEDED = ("policy", "training_seed", "split", "group", "tasks", "share", "low", "high")
ROW, BETWEEN = 0.45, 0.1
"""Inches of a group, and how far policies of a group stand apart, in groups."""


@style.figure
def shares_by_group(
    source: pd.DataFrame | Path,
    shown: Sequence[str],
    label: str,
    rank: Callable[[str], Any],
    by: str | None = None,
) -> Figure:
    """Share of tasks solved by group; a panel a split, the first training seed of a policy.

    Args:
        source: Table with the columns NEEDED, shares and bounds between 0 and 1.
        shown: Policies, where they are there.
        label: What the shares are of.
        rank: Sorts the groups from the top.
        by: Keeps the rows of this `by` and of "all", where a table has that column.

    After each group stand its tasks, from the policy with fewest to that with most.
    """
    table = style.table_of(source)
    style.need(table, *NEEDED, *(["by"] if by else []))
    if by:
        table = table[table["by"].isin(["all", by])]
    splits = sorted(table["split"].unique())
    orders = {s: sorted(set(table[table["split"] == s]["group"]), key=rank) for s in splits}
    height = 1.6 + ROW * max(len(order) for order in orders.values())
    fig, axes = style.canvas(1, len(splits), height=height, sharex=True)
    for ax, split in zip([axes] if len(splits) == 1 else axes.flat, splits, strict=True):
        _panel(ax, table[table["split"] == split], orders[split], shown)
        ax.set_title(split)
    fig.supxlabel(f"{label}, first training seed (right is better)", fontsize=10)
    handles, labels = fig.axes[0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside upper center", ncols=3)
    return fig


def _panel(ax: Any, table: pd.DataFrame, order: Sequence[str], shown: Sequence[str]) -> None:
    names = [name for name in shown if name in set(table["policy"])]
    counts = table[table["policy"].isin(names)].groupby("group")["tasks"].agg(["min", "max"])
    told = {
        group: str(low) if low == high else f"{low}-{high}"
        for group, low, high in counts.itertuples()
    }
    for i, name in enumerate(names):
        rows = table[table["policy"] == name]
        rows = rows[rows["training_seed"] == rows["training_seed"].min()]
        at = [order.index(g) + BETWEEN * (i - (len(names) - 1) / 2) for g in rows["group"]]
        bars = style.whiskers(rows["share"], rows["low"], rows["high"])
        ax.errorbar(
            rows["share"], at, xerr=bars, fmt=MARKERS[i], color=CYCLE[i], label=name, capsize=2,
            elinewidth=1,
        )  # fmt: skip
    ax.set_yticks(range(len(order)), [f"{name} ({told.get(name, 0)})" for name in order])
    ax.set_ylim(len(order) - 0.5, -0.5)
    ax.set_xlim(-0.03, 1.03)
