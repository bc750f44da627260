"""Figures of the evaluation's result: who earns how much, where, and by how much more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.plots import style
from env_lib.plots.style import BLACK, BLUE, CYCLE, GREEN, GREY, MARKERS, MODELS, SKY, VERMILLION

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

YARDSTICKS = ("random", "oracle")


def kind_of(policy: str, exploits: Collection[str] = ()) -> str:
    """Return the group of a policy; models held to a grammar or told the rules are apart."""
    if policy in YARDSTICKS:
        return "yardstick"
    if policy in exploits:
        return "exploit"
    base, *marks = policy.split("+")
    if base in MODELS:
        told = "language model, told the rules" if "told" in marks else "language model"
        return f"{told}, constrained" if "constrained" in marks else told
    return "rule"


_KINDS = {
    "language model": (BLUE, "o"), "language model, constrained": (SKY, "D"),
    "language model, told the rules": (BLUE, "^"),
    "language model, told the rules, constrained": (SKY, "v"), "rule": (GREEN, "s"),
    "exploit": (VERMILLION, "X"), "yardstick": (GREY, "P"),
}  # fmt: skip


@style.figure
def results_by_policy(
    source: pd.DataFrame | Path, exploits: Collection[str] = (), worst: float = -1.5
) -> Figure:
    """One row a policy: normalised score over all tiers, 95 % interval, training seeds as rings.

    `source` is `pooling.scores`' table (policy, training_seed, score, low, high); rows of the
    training seed "all" are the points. Scores below `worst` are drawn at the left edge, with
    their number.
    """
    table = style.table_of(source)
    style.need(table, "policy", "training_seed", "score", "low", "high")
    each = table["training_seed"].astype(str)
    pooled = table[each == "all"].sort_values("score").reset_index(drop=True)
    fig, ax = style.canvas(height=max(style.HEIGHT, 1.1 + 0.23 * len(pooled)))
    for x, name in ((0.0, "random"), (1.0, "oracle")):
        ax.axvline(x, color=GREY, linestyle="--", linewidth=1)
        ax.text(x, len(pooled) - 0.3, name, ha="center", va="bottom", fontsize=9, color=GREY)
    kinds = [kind_of(name, exploits) for name in pooled["policy"]]
    for y, (row, kind) in enumerate(zip(pooled.itertuples(), kinds, strict=True)):
        seeds = table[(table["policy"] == row.policy) & (each != "all")]["score"]
        _point(ax, y, row, _KINDS[kind], seeds, worst)
    for kind, (colour, marker) in _KINDS.items():
        if kind in kinds:
            ax.plot([], [], marker, color=colour, label=kind)
    ax.set_yticks(range(len(pooled)), pooled["policy"])
    ax.set_ylim(-0.7, len(pooled) + 0.4)
    fig.supxlabel(
        "normalised score, mean of the tiers (right is better; bars: 95 % interval)", fontsize=10
    )
    ax.grid(axis="y", visible=False)
    fig.legend(*ax.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return fig


def _point(ax: Any, y: int, row: Any, look: tuple[str, str], seeds: Any, worst: float) -> None:
    """Draw one policy: its point with its interval, or an arrow with a number at the edge."""
    colour, marker = look
    if row.score < worst:
        ax.plot([worst], [y], "<", color=colour)
        ax.text(worst + 0.05, y, f"{row.score:.1f}", va="center", fontsize=9, color=colour)
        return
    bars = style.whiskers([row.score], [max(row.low, worst)], [row.high])
    ax.errorbar([row.score], [y], xerr=bars, fmt=marker, color=colour, capsize=3)
    ax.plot(seeds, [y] * len(seeds), "o", mfc="none", mec=colour, markersize=9)


def tiers_of(table: pd.DataFrame) -> list[str]:
    """Return the scenarios of a table, in the order of their names."""
    return sorted(table["scenario"].unique())


def tier_lines(
    ax: Any,
    table: pd.DataFrame,
    names: Sequence[str],
    columns: tuple[str, str, str],
    tiers: Sequence[str],
) -> None:
    """Draw one line a policy over the tiers; `columns` are those of (value, low, high).

    Policies are set apart sideways, so that intervals do not hide one another.
    """
    value, low, high = columns
    for i, name in enumerate(names):
        rows = table[(table["policy"] == name)].dropna(subset=[value])
        at = [tiers.index(t) + 0.06 * (i - (len(names) - 1) / 2) for t in rows["scenario"]]
        bars = style.whiskers(rows[value], rows[low], rows[high])
        dashed = "--" if name in YARDSTICKS else "-"
        colour = BLACK if name == "oracle" else GREY if name == "random" else CYCLE[i % len(CYCLE)]
        ax.errorbar(
            at, rows[value], yerr=bars, label=name, color=colour, linestyle=dashed,
            marker=MARKERS[i % len(MARKERS)], capsize=2, elinewidth=1,
        )  # fmt: skip
    ax.set_xticks(range(len(tiers)), tiers)


@style.figure
def per_step_by_tier(source: pd.DataFrame | Path, policies: Iterable[str]) -> Figure:
    """Reward per step by tier, one line for each of `policies` that is there, 95 % intervals.

    `source`: policy, scenario, per_step, per_step_low, per_step_high.
    """
    table = style.table_of(source)
    columns = ("per_step", "per_step_low", "per_step_high")
    style.need(table, "policy", "scenario", *columns)
    fig, ax = style.canvas()
    names = [name for name in policies if name in set(table["policy"])]
    tier_lines(ax, table, names, columns, tiers_of(table))
    ax.axhline(0, color=GREY, linewidth=1)
    ax.set_xlabel("tier (harder to the right)")
    ax.set_ylabel("reward per step (up is better)")
    fig.legend(loc="outside right upper")
    return fig


@style.figure
def paired_differences(source: pd.DataFrame | Path) -> Figure:
    """Paired difference in return by tier, one panel a pair of policies, 95 % intervals.

    `source`: a, b, split, scenario, mean, low, high; right of the dashed zero, `a` earns more.
    """
    table = style.table_of(source)
    style.need(table, "a", "b", "split", "scenario", "mean", "low", "high")
    if table["split"].nunique() > 1:
        table = table.assign(scenario=table["scenario"] + ", " + table["split"])
    pairs = list(table.groupby(["a", "b"], sort=False))
    columns = min(3, len(pairs))
    down = -(-len(pairs) // columns)
    fig, axes = style.canvas(down, columns, height=max(style.HEIGHT, 2.6 * down), sharey=True)
    flat = [axes] if len(pairs) == 1 else list(axes.flat)
    for ax in flat[len(pairs) :]:
        ax.set_axis_off()
    tiers = tiers_of(table)[::-1]
    for ax, ((a, b), rows) in zip(flat, pairs, strict=False):
        at = [tiers.index(t) for t in rows["scenario"]]
        bars = style.whiskers(rows["mean"], rows["low"], rows["high"])
        ax.errorbar(rows["mean"], at, xerr=bars, fmt="o", color=BLUE, capsize=3)
        ax.axvline(0, color=GREY, linestyle="--", linewidth=1)
        ax.set_title(f"{a}\nminus {b}", fontsize=9)
        ax.set_yticks(range(len(tiers)), tiers)
    fig.supxlabel("difference in return, same episodes (right: the first is better)", fontsize=10)
    return fig


@style.figure
def exploit_audit(source: pd.DataFrame | Path) -> Figure:
    """Mean return of every exploit (crosses) below zero, honest policies (lines) above, by tier.

    `source` is the audit's table: policy, scenario, mean_return, exploit.
    """
    table = style.table_of(source)
    style.need(table, "policy", "scenario", "mean_return", "exploit")
    tiers = tiers_of(table)
    fig, ax = style.canvas()
    exploits, honest = table[table["exploit"]], table[~table["exploit"]]
    for i, tier in enumerate(tiers):
        values = exploits[exploits["scenario"] == tier]["mean_return"].tolist()
        spread = [i + 0.3 * (k / max(1, len(values) - 1) - 0.5) for k in range(len(values))]
        label = f"{exploits['policy'].nunique()} exploits" if i == 0 else None
        ax.plot(spread, values, "x", color=VERMILLION, markersize=4, alpha=0.7, label=label)
    colours = [colour for colour in CYCLE if colour != VERMILLION]  # the exploits' own
    best = honest.groupby("policy")["mean_return"].mean().sort_values(ascending=False)
    for i, name in enumerate(best.index):
        means = honest[honest["policy"] == name].set_index("scenario")["mean_return"]
        colour = colours[i % len(colours)]
        colour = {"oracle": BLACK, "random": GREY}.get(name, colour)
        ax.plot(
            range(len(tiers)), means.reindex(tiers), marker=MARKERS[i % len(MARKERS)],
            color=colour, label=name,
        )  # fmt: skip
    ax.axhline(0, color=BLACK, linestyle="--", linewidth=1)
    ax.set_yscale("symlog", linthresh=10)
    ax.set_xticks(range(len(tiers)), tiers)
    ax.set_xlabel("tier (dashed: zero)")
    ax.set_ylabel("mean return (up is better)")
    fig.legend(loc="outside right upper")
    return fig
