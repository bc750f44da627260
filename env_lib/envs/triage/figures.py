"""What triage shows beside what every duty shows: how its policies take spam."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.plots import style
from env_lib.plots.results import tier_lines, tiers_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from env_lib.rollout import Episode

SHOWN = ("grpo", "sft", "base_few_shot", "classic_ml", "memory_aware", "keyword_triager")
"""Policies of the figure, where they are there."""


def tables(episodes: Sequence[tuple[int, Episode]]) -> dict[str, pd.DataFrame]:
    """Return no table: spam's metrics are among the held-out ones."""
    return {}


@style.figure
def spam_by_tier(source: pd.DataFrame | Path) -> Figure:
    """Spam recall and precision by tier, one line a policy, 95 % intervals.

    `source` is `pooling.metric_table`'s: policy, scenario, metric, mean, low, high. A tier
    without spam, and a policy that closes nothing, have no point.
    """
    table = style.table_of(source)
    style.need(table, "policy", "scenario", "metric", "mean", "low", "high")
    names = [name for name in SHOWN if name in set(table["policy"])]
    fig, axes = style.canvas(1, 2, sharey=True)
    for ax, metric in zip(axes.flat, ("spam_recall", "spam_precision"), strict=True):
        rows = table[table["metric"] == metric]
        tier_lines(ax, rows, names, ("mean", "low", "high"), tiers_of(table))
        ax.set_title(metric)
        ax.set_xlabel("tier")
    axes.flat[0].set_ylabel("share (up is better)")
    axes.flat[0].set_ylim(-0.03, 1.03)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside upper center", ncols=3)
    return fig


FIGURES: Mapping[str, Callable[[Mapping[str, pd.DataFrame]], Any]] = {
    "spam": lambda tables: spam_by_tier(tables["held_out"])
}
"""What draws each figure, by the name of its file."""
