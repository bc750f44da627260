"""What supervise shows beside what every duty shows: verdicts, and learning within an episode."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.envs.supervise.held_out import THIRDS
from env_lib.plots import style
from env_lib.plots.reported import Reported
from env_lib.plots.results import tier_lines
from env_lib.plots.style import CYCLE, MARKERS

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from env_lib.rollout import Episode

SHOWN = (
    "public_rules_only", "precedent_learner", "rules_given", "base_zero_shot", "base_few_shot",
    "base_few_shot+told", "sft", "grpo", "grpo+told", "oracle",
)  # fmt: skip
"""Policies of the figures, where they are there; `rules_given` and the models marked `+told` are
bounds that are told the organisation's policy."""
TABLE_ONLY = "base_zero_shot"
ALL = "all"
METRICS = {
    "accuracy": "verdict accuracy (right is better)",
    "unsafe_approvals": "unsafe approvals (left is better)",
    "caught_false_claims": "false claims caught (right is better)",
    "tool_failures": "tool failures (left is better)",
    "decided_share": "proposals decided (right is better)",
    "accuracy_unseen": "unseen combinations (right is better)",
}
"""Held-out metric -> the title of its panel."""
COUNTS = ("budget_used", "calls_per_decision")
"""Held-out metrics of the table alone: neither more nor less of them is better by itself."""
GAIN = "gain"
"""Verdict accuracy in the last third less that in the first, of the same episode."""
COLUMNS = ["policy", "training_seed", "split", "group", "metric", "episodes", "mean", "low", "high"]


def tables(episodes: Sequence[tuple[int, Episode]]) -> dict[str, pd.DataFrame]:
    """Return `verdicts` (METRICS, COUNTS, GAIN) and `learning` (accuracy by third, and GAIN).

    Columns of both: policy, training_seed, split, group (`all` or a tier), metric, episodes, mean
    (of the episodes' shares; of `all`, the mean of the tiers), low, high (95 % bootstrap over
    episodes, since decisions of one episode hang together). An episode without a case (no false
    claim, no decision in a third) does not count; no row where none has one. Training seeds stand
    apart.
    """
    import pandas as pd

    from env_lib.plots.pooling import frame_of

    frame = frame_of(episodes).rename(columns=lambda name: name.removeprefix("held_out."))
    frame = frame.rename(columns={f"accuracy_{name}": name for name in THIRDS})
    cases = [name for name in (*METRICS, *COUNTS, *THIRDS) if name not in frame]
    frame = frame.reindex(columns=[*frame.columns, *cases])
    frame[GAIN] = frame["last"] - frame["first"]
    return {
        name: pd.DataFrame(_rows(frame, metrics), columns=COLUMNS)
        for name, metrics in (
            ("verdicts", (*METRICS, *COUNTS, GAIN)),
            ("learning", (*THIRDS, GAIN)),
        )
    }


def _rows(frame: pd.DataFrame, metrics: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    from env_lib.plots.pooling import over_tiers, tasks

    for key, part in frame.groupby(["policy", "training_seed", "split"]):
        for metric in metrics:
            by_tier = tasks(part, metric).groupby("scenario")
            tiers = {str(tier): found.to_numpy() for tier, found in by_tier}
            groups = {ALL: list(tiers.values())} | {tier: [some] for tier, some in tiers.items()}
            for group, values in groups.items() if tiers else ():
                yield (*key, group, metric, sum(map(len, values)), *over_tiers(values))


def _chosen(source: pd.DataFrame | Path) -> tuple[pd.DataFrame, list[str], list[str]]:
    """Return the rows that are drawn (all tiers, first training seed), policies and splits."""
    table = style.table_of(source)
    style.need(table, *COLUMNS)
    names = [name for name in SHOWN if name in set(table["policy"])]
    table = table[(table["group"] == ALL) & table["policy"].isin(names)]
    first = table.groupby("policy")["training_seed"].transform("min")
    return table[table["training_seed"] == first], names, sorted(table["split"].unique())


@style.figure
def verdicts_by_policy(source: pd.DataFrame | Path) -> Figure:
    """METRICS by policy, a panel a metric, a colour a split; 95 % intervals.

    `source` is `tables`' `verdicts`; drawn are means over the tiers, of the first training seed.
    """
    table, names, splits = _chosen(source)
    fig, axes = style.canvas(3, 2, height=1.8 + 0.72 * len(names), sharex=True, sharey=True)
    for ax, (metric, title) in zip(axes.flat, METRICS.items(), strict=True):
        for place, split in enumerate(splits):
            rows = table[(table["metric"] == metric) & (table["split"] == split)]
            shift = 0.3 * (place - (len(splits) - 1) / 2)
            at = [names.index(name) + shift for name in rows["policy"]]
            ax.errorbar(
                rows["mean"], at, xerr=style.whiskers(rows["mean"], rows["low"], rows["high"]),
                fmt=MARKERS[place], color=CYCLE[place], label=split, capsize=2, elinewidth=1,
            )  # fmt: skip
        ax.set_title(title)
        ax.grid(axis="y", visible=False)
    axes.flat[0].set_yticks(range(len(names)), names)
    axes.flat[0].set_ylim(len(names) - 0.5, -0.5)
    axes.flat[0].set_xlim(-0.03, 1.03)
    fig.supxlabel("share, mean of the tiers (bars: 95 % interval over episodes)", fontsize=10)
    handles, labels = axes.flat[0].get_legend_handles_labels()
    fig.legend(handles, labels, loc="outside upper center", ncols=len(splits))
    return fig


@style.figure
def learning_within_the_episode(source: pd.DataFrame | Path) -> Figure:
    """Verdict accuracy by third of the episode, a line a policy, a panel a split; 95 % intervals.

    `source` is `tables`' `learning`; drawn are means over the tiers, of the first training seed.
    A line that rises learns the organisation's policy from precedents and feedback. TABLE_ONLY is
    left out: there would be more lines than colours.
    """
    table, names, splits = _chosen(source)
    names = [name for name in names if name != TABLE_ONLY]
    fig, axes = style.canvas(1, len(splits), sharey=True)
    flat = [axes] if len(splits) == 1 else list(axes.flat)
    rows = table[table["metric"].isin(THIRDS)].rename(columns={"metric": "scenario"})
    for ax, split in zip(flat, splits, strict=True):
        tier_lines(ax, rows[rows["split"] == split], names, ("mean", "low", "high"), THIRDS)
        ax.set_title(split)
        ax.set_ylim(-0.03, 1.03)
    flat[0].set_ylabel("verdict accuracy (up is better)")
    fig.supxlabel("third of the episode", fontsize=10)
    fig.legend(*flat[0].get_legend_handles_labels(), loc="outside upper center", ncols=4)
    return fig


FIGURES: Mapping[str, Callable[[Mapping[str, pd.DataFrame]], Any]] = {
    "verdicts": lambda tables: verdicts_by_policy(tables["verdicts"]),
    "learning": lambda tables: learning_within_the_episode(tables["learning"]),
}
"""What draws each figure, by the name of its file."""
REPORTED = Reported(
    table="verdicts",
    value="mean",
    across="metric",
    columns={
        "accuracy": "verdict accuracy", "unsafe_approvals": "unsafe approvals",
        "caught_false_claims": "false claims caught", "tool_failures": "tool failures",
        "accuracy_unseen": "accuracy, unseen combinations", GAIN: "gain, first to last third",
        "budget_used": "looks used", "calls_per_decision": "calls per decision",
    },
    policies=SHOWN,
    note="Mean of the tiers of the episodes' values, with 95 % bootstrap intervals over episodes; "
    "gain is verdict accuracy in the last third of an episode less that in its first, and a tool "
    "failure any answer that is not carried out.",
    figures={
        "verdicts": "Verdicts, unsafe approvals, false claims caught, tool failures, proposals "
        "decided and verdicts on unseen combinations of rules by policy",
        "learning": "Verdict accuracy by third of the episode",
    },
)  # fmt: skip
"""What the results section shows of it."""
