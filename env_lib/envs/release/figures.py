"""What release shows beside what every duty shows: how often its decisions are right or harmful."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.plots import style
from env_lib.plots.plays import NAMED, OTHER, named, plays
from env_lib.plots.reported import Reported
from env_lib.plots.style import BLUE, GREEN, VERMILLION

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from env_lib.rollout import Episode, Step

SHOWN = (
    "naive", "careful", "logistic_regression", "base_few_shot", "sft", "grpo", "oracle",
)  # fmt: skip
"""Policies of the figure from the top, where they are there."""
ALL = "all"
KIND = "kind"
"""What `plays` tells of a step whose kind of action the last line named with another name."""
RATES = ("decision_right", "unsafe_ship", "needless_block", "decided")
"""Held-out metrics that are 0 or 1 an episode, shares of all episodes.

- `decision_right`: the right decision for the repository as the policy left it, behind passing unit
  tests.
- `unsafe_ship`: `ship` or `canary` while a contract is broken or a dependency unsafe, whatever the
  unit tests say: a canary ships to some users. The reward counts `ship` alone.
- `needless_block`: `block` or `rollback` where `ship`, `canary` or `request_owner_approval` was
  right; where unit tests still fail, where one of them is right after the reference patch.
- `decided`: there was a decision. Who decides nothing harms nobody, so that it stands beside them.

`request_owner_approval` on a broken contract is neither: the owner still decides. It is not right.
"""
COLUMNS = [
    "policy", "training_seed", "split", "group", "rate", "episodes", "count", "share", "low",
    "high",
]  # fmt: skip
DRAWN = {
    "decision_right": ("decision right (right is better)", BLUE, "o"),
    "unsafe_ship": ("unsafe ship (left is better)", VERMILLION, "X"),
    "needless_block": ("needless block (left is better)", GREEN, "s"),
}
"""Rate -> label, colour, marker."""


def tables(episodes: Sequence[tuple[int, Episode]]) -> dict[str, pd.DataFrame]:
    """Return `decisions` and `plays`.

    `decisions`: how many episodes of each policy ended in what, with exact intervals. Columns:
    policy, training_seed, split, group (`all` or a tier), rate (of RATES), episodes, count, share
    of all these episodes, low, high (Clopper and Pearson, 95 %). Right is what the repository as
    the policy left it calls for, behind passing unit tests. Training seeds stand apart. `plays`:
    what models did, and how often the prompt's last line named it, or its kind with another name.
    """
    import pandas as pd

    from env_lib.intervals import exact_share

    counts: dict[tuple[str, int, str, str, str], list[int]] = {}
    for training, episode in episodes:
        for group in (ALL, episode.scenario):
            for rate in RATES:
                key = (episode.policy, training, episode.split, group, rate)
                place = counts.setdefault(key, [0, 0])
                place[0] += 1
                place[1] += int(episode.metrics[rate])
    rows = [(*key, n, hit, *exact_share(hit, n)) for key, (n, hit) in sorted(counts.items())]
    return {"decisions": pd.DataFrame(rows, columns=COLUMNS), "plays": plays(episodes, _play)}


def _play(step: Step) -> tuple[str, str]:
    """Return whether the last line named the action, its kind or neither; a decision with which."""
    kind = step.action["action_type"]
    words = {str(value) for value in step.action.values()}
    told = [one.split() for one in named(step)]
    if any(words.issuperset(one) for one in told):
        place = NAMED
    else:
        place = KIND if any(one[0] == kind for one in told) else OTHER
    return place, f"{kind} {step.action.get('decision', '')}".rstrip()


def write_records(run_folder: Path) -> list[Path]:
    """Write the pages on which two policies stand side by side; return their paths."""
    return write_pages(run_folder)


def write_pages(run_folder: Path, to: Path | None = None) -> list[Path]:
    """Write these pages to a folder, the run's own by default; return their paths."""
    from env_lib.envs.release import pages

    return pages.write(run_folder, to)


@style.figure
def decisions_by_policy(source: pd.DataFrame | Path) -> Figure:
    """Three rates by policy over all tiers, a panel a split.

    `source` is `tables`' `decisions`. Points with bars (exact 95 % intervals) are of the first
    training seed, hollow ones of the others.
    """
    table = style.table_of(source)
    style.need(table, *COLUMNS)
    table = table[table["group"] == ALL]
    names = [name for name in SHOWN if name in set(table["policy"])]
    splits = sorted(table["split"].unique())
    fig, axes = style.canvas(1, len(splits), height=1.7 + 0.42 * len(names), sharey=True)
    for ax, split in zip([axes] if len(splits) == 1 else axes.flat, splits, strict=True):
        rows = table[(table["split"] == split) & table["policy"].isin(names)]
        _panel(ax, rows, names)
        least, most = rows["episodes"].min(), rows["episodes"].max()
        ax.set_title(f"{split}, {most if least == most else f'{least} to {most}'} episodes each")
    first = fig.axes[0]
    first.set_yticks(range(len(names)), names)
    first.set_ylim(len(names) - 0.5, -0.5)
    others = "; hollow: other training seeds" if table["training_seed"].nunique() > 1 else ""
    told = f"share of episodes, all tiers (bars: exact 95 % interval{others})"
    fig.supxlabel(told, fontsize=10)
    fig.legend(*first.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    return fig


def _panel(ax: Any, table: pd.DataFrame, names: Sequence[str]) -> None:
    """Draw each rate a little below the one before, so that intervals do not hide one another."""
    for place, (rate, (label, colour, marker)) in enumerate(DRAWN.items()):
        own = table[table["rate"] == rate]
        first = own["training_seed"] == own.groupby("policy")["training_seed"].transform("min")
        at = own["policy"].map(names.index) + 0.22 * (place - (len(DRAWN) - 1) / 2)
        rows = own[first]
        bars = style.whiskers(rows["share"], rows["low"], rows["high"])
        ax.errorbar(
            rows["share"], at[first], xerr=bars, fmt=marker, color=colour, label=label, capsize=2,
            elinewidth=1,
        )  # fmt: skip
        ax.plot(own[~first]["share"], at[~first], marker, mfc="none", mec=colour)
    ax.set_xlim(-0.03, 1.03)
    ax.grid(axis="y", visible=False)


FIGURES: Mapping[str, Callable[[Mapping[str, pd.DataFrame]], Any]] = {
    "decisions": lambda tables: decisions_by_policy(tables["decisions"])
}
"""What draws each figure, by the name of its file."""
REPORTED = Reported(
    table="decisions",
    value="share",
    across="rate",
    columns={name: name.replace("_", " ") for name in RATES},
    policies=SHOWN,
    note=(
        "Share of episodes, all tiers, with exact 95 % intervals (Clopper and Pearson). Unsafe "
        "ship: `ship` or `canary` while a contract is broken or a dependency unsafe. Needless "
        "block: `block` or `rollback` where one of the other three was right, or, where unit tests "
        "still fail, would be after the reference patch."
    ),
    figures={"decisions": "Right decisions, unsafe ships and needless blocks by policy"},
)
"""What the results section shows of it."""
