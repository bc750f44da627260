"""Figures of training: what the logs say, under the names that they say it with."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.plots import style
from env_lib.plots.style import CYCLE, GREY, SKY

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

COMPONENT = "reward/"
"""Prefix of the columns that hold one reward component each."""
UP, DOWN = "\u2191", "\u2193"
SFT_PANELS = {
    "loss": DOWN, "mean_token_accuracy": UP, "entropy": "(nats)", "grad_norm": "",
    "learning_rate": "",
}  # fmt: skip
"""Columns of the log that are drawn, with the better direction or the unit."""
GRPO_PANELS = {
    "reward": UP, "reward_std": "", "valid_share": UP,
    "kl": "(nats)", "entropy": "(nats)", "grad_norm": "",
    "clipped_share": DOWN, "terminated_length": "(tokens)", "zero_variance_share": DOWN,
}  # fmt: skip


def _seeds(log: pd.DataFrame) -> list[tuple[str, Any]]:
    """Split a log by its training seeds, where it holds several."""
    if "training_seed" not in log:
        return [("", log)]
    return [(f"seed {seed}", rows) for seed, rows in log.groupby("training_seed")]


def _panels(log: pd.DataFrame, panels: dict[str, str], columns: int) -> Figure:
    names = [n for n in panels if n in log and log[n].notna().any()]
    rows = -(-len(names) // columns)
    fig, axes = style.canvas(rows, columns, height=max(style.HEIGHT, 1.75 * rows), sharex=True)
    flat = [axes] if rows * columns == 1 else list(axes.flat)
    for ax, name in zip(flat, names, strict=False):
        for i, (label, part) in enumerate(_seeds(log)):
            part = part[part[name].notna()]
            ax.plot(part["step"], part[name], color=CYCLE[i % len(CYCLE)], label=label or None)
        for start in _round_starts(log):
            ax.axvline(start, color=GREY, linestyle=":", linewidth=0.8)
        ax.set_title(f"{name} {panels[name]}".strip(), fontsize=9)
        ax.ticklabel_format(axis="y", scilimits=(-3, 4), useOffset=False)
        ax.xaxis.get_major_locator().set_params(integer=True)
    for ax in flat[len(names) :]:
        ax.set_axis_off()
    for ax in flat[max(0, len(names) - columns) : len(names)]:
        ax.tick_params(labelbottom=True)
    if len(_seeds(log)) > 1:
        handles, labels = flat[0].get_legend_handles_labels()
        fig.legend(handles, labels, loc="outside upper center", ncols=len(labels))
    rounds = "; dotted: a round begins" if "round" in log else ""
    fig.supxlabel(f"optimiser step ({UP} {DOWN}: the better direction{rounds})", fontsize=10)
    return fig


def _round_starts(log: pd.DataFrame) -> list[float]:
    if "round" not in log:
        return []
    return [float(x) for x in log.groupby("round")["step"].min().tolist()[1:]]


@style.figure
def sft_curves(source: pd.DataFrame | Path) -> Figure:
    """One panel a column of the SFT log (`step`, `loss`, ...); a line a training seed."""
    log = style.table_of(source)
    style.need(log, "step", "loss")
    found = [name for name in SFT_PANELS if name in log]
    return _panels(log, SFT_PANELS, min(3, len(found)))


@style.figure
def grpo_curves(source: pd.DataFrame | Path) -> Figure:
    """One panel a column of the GRPO log; a line a training seed, rounds dotted."""
    log = style.table_of(source)
    style.need(log, "step", "reward")
    return _panels(log, GRPO_PANELS, 3)


@style.figure
def grpo_components(source: pd.DataFrame | Path) -> Figure:
    """The reward components by optimiser step, under their names in the rubric.

    Mean over training seeds; components that never pay are left out.
    """
    log = style.table_of(source)
    names = [c for c in log if c.startswith(COMPONENT) and log[c].abs().max() > 0]
    style.need(log, "step", *(names or [f"{COMPONENT}<component>"]))
    mean = log.groupby("step")[names].mean()
    fig, ax = style.canvas()
    for i, name in enumerate(names):
        dashes = ("-", "--")[i // len(CYCLE) % 2]
        label = name.removeprefix(COMPONENT)
        ax.plot(mean.index, mean[name], color=CYCLE[i % len(CYCLE)], linestyle=dashes, label=label)
    ax.axhline(0, color=GREY, linewidth=1)
    ax.set_xlabel("optimiser step")
    ax.set_ylabel("mean part of the reward (up is better)")
    fig.legend(loc="outside right upper")
    return fig


@style.figure
def curriculum(source: pd.DataFrame | Path, mastery: float) -> Figure:
    """Left: how often each tier was trained on, by round. Right: the bound that unlocks the next.

    `source`: round, scenario, weight, unlocked, lower_bound; `mastery` is the profile's, dashed.
    """
    table = style.table_of(source)
    style.need(table, "round", "scenario", "weight", "unlocked", "lower_bound")
    rows = table.groupby(["round", "scenario"])[["weight", "lower_bound"]].mean().reset_index()
    fig, axes = style.canvas(1, 2)
    left, right = axes.flat
    tiers = sorted(rows["scenario"].unique())
    _weights(left, rows, tiers)
    for i, tier in enumerate(tiers):
        part = rows[(rows["scenario"] == tier)].dropna(subset=["lower_bound"])
        right.plot(
            part["round"], part["lower_bound"], marker="o", color=_tier_colour(i), label=tier
        )
    right.axhline(mastery, color=GREY, linestyle="--", linewidth=1)
    right.set_title("lower bound of the score\n(dashed: mastery, unlocks the next)", fontsize=9)
    right.set_xlabel("round")
    right.set_xlim(left.get_xlim())
    for ax in (left, right):
        ax.xaxis.get_major_locator().set_params(integer=True)
    if rows["lower_bound"].isna().all():
        right.text(0.5, 0.1, "too few visits for a bound", transform=right.transAxes, ha="center")
    handles, labels = left.get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside right upper")
    return fig


def _tier_colour(i: int) -> str:
    return (*CYCLE[:5], SKY)[i % 6]


def _weights(ax: Any, rows: pd.DataFrame, tiers: Sequence[str]) -> None:
    """Stack the tiers' weights, each round's summing to one."""
    wide = (
        rows.pivot(index="round", columns="scenario", values="weight")
        .reindex(columns=tiers)
        .fillna(0.0)
    )
    share = wide.div(wide.sum(axis=1).where(lambda total: total > 0, 1.0), axis=0)
    below = share.iloc[:, 0] * 0
    for i, tier in enumerate(tiers):
        ax.bar(share.index, share[tier], bottom=below, color=_tier_colour(i), label=tier, width=0.8)
        below = below + share[tier]
    ax.set_title("share of training states by tier", fontsize=9)
    ax.set_xlabel("round")
    ax.grid(visible=False)
