"""Figures of single decisions: which action for which truth, and how sure against how right."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.plots import style
from env_lib.plots.style import CYCLE, GREY, MARKERS

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from matplotlib.figure import Figure

BINS = 10
LEFT_OUT = "steps that only prepare are left out"


@style.figure
def confusion(
    source: pd.DataFrame | Path, policy: str, order: Sequence[str] | None = None
) -> Figure:
    """Rows: the true action; columns: the policy's; colour: share of the row; numbers: counts.

    `source` is `eval/pairs.csv` (columns of `agreement.action_pairs`), decisions alone: steps that
    only prepare one are not in it. `order` fixes the actions; others (`invalid`) follow.
    """
    table = style.table_of(source)
    style.need(table, "policy", "action", "truth")
    rows = table[table["policy"] == policy]
    if rows.empty:
        raise ValueError(f"no decision of {policy!r}; there are {sorted(set(table['policy']))}")
    seen = list(dict.fromkeys([*(order or []), *sorted(set(rows["truth"]) | set(rows["action"]))]))
    columns = [n for n in seen if n in set(rows["action"])]
    truths = [n for n in seen if n in set(rows["truth"])]
    counts = rows.groupby(["truth", "action"]).size().unstack(fill_value=0)
    counts = counts.reindex(index=truths, columns=columns, fill_value=0)
    share = counts.div(counts.sum(axis=1), axis=0)
    fig, ax = style.canvas()
    image = ax.imshow(share, cmap="Blues", vmin=0, vmax=1, aspect="auto")
    for y, truth in enumerate(truths):
        for x, action in enumerate(columns):
            if count := counts.loc[truth, action]:
                dark = share.loc[truth, action] > 0.6
                ax.text(
                    x, y, count, ha="center", va="center", fontsize=9, color="w" if dark else "k"
                )
    ax.set_xticks(range(len(columns)), columns, rotation=35, ha="right")
    ax.set_yticks(range(len(truths)), truths)
    ax.set_xlabel(f"action of {policy} ({LEFT_OUT})")
    ax.set_ylabel("true action")
    ax.grid(visible=False)
    fig.colorbar(image, ax=ax, label="share of the true action")
    return fig


def wilson(right: float, count: float, z: float = 1.96) -> tuple[float, float]:
    """Return the 95 % Wilson interval of a share."""
    share, z2 = right / count, z * z / count
    half = z * (share * (1 - share) / count + z2 / (4 * count)) ** 0.5
    middle = share + z2 / 2
    return (middle - half) / (1 + z2), (middle + half) / (1 + z2)


def reliability(confidence: Any, right: Any, bins: int = BINS) -> list[tuple[float, ...]]:
    """Return (mean confidence, share right, low, high, count) of each bin that holds a decision."""
    import numpy as np

    sure: np.ndarray = np.asarray(confidence, dtype=float)
    hit = np.asarray(right, dtype=float)
    index = np.clip((sure * bins).astype(int), 0, bins - 1)
    rows: list[tuple[float, ...]] = []
    for b in np.unique(index):
        chosen = index == b
        n = int(chosen.sum())
        low, high = wilson(hit[chosen].sum(), n)
        rows.append((float(sure[chosen].mean()), float(hit[chosen].mean()), low, high, n))
    return rows


@style.figure
def calibration(source: pd.DataFrame | Path, policies: Sequence[str] = ("sft", "grpo")) -> Figure:
    """Share right by confidence, 95 % Wilson intervals; ECE (10 equal bins) in the legend.

    `source` is `eval/pairs.csv`, decisions alone: steps that only prepare one are not in it;
    policies that state no confidence are left out. Below: how many decisions each bin holds.
    """
    from env_lib.evaluation import ece

    table = style.table_of(source)
    style.need(table, "policy", "right", "confidence")
    fig, axes = style.canvas(2, 1, sharex=True, height_ratios=(3, 1))
    top, bottom = axes.flat
    top.plot([0, 1], [0, 1], color=GREY, linestyle="--", linewidth=1, label="perfect")
    known = table.dropna(subset=["confidence"])
    for i, name in enumerate(n for n in policies if n in set(known["policy"])):
        rows = known[known["policy"] == name]
        error = ece(rows["confidence"].tolist(), rows["right"].astype(float).tolist(), bins=BINS)
        sure, share, low, high, count = zip(
            *reliability(rows["confidence"], rows["right"]), strict=True
        )
        bars = style.whiskers(share, low, high)
        label = f"{name}: ECE {error:.3f}, n = {len(rows)}"
        top.errorbar(
            sure, share, yerr=bars, marker=MARKERS[i], color=CYCLE[i], label=label, capsize=3
        )
        bottom.plot(sure, count, marker=MARKERS[i], color=CYCLE[i])
    top.set_ylabel("share right (95 % interval)")
    fig.legend(*top.get_legend_handles_labels(), loc="outside upper center", ncols=3)
    bottom.set_ylim(bottom=0)
    bottom.set_ylabel("decisions")
    chosen = "confidence of the chosen action (above the dashed line: too modest)"
    bottom.set_xlabel(f"{chosen}\n{LEFT_OUT}")
    bottom.set_xlim(0, 1.02)
    return fig
