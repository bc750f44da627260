"""The numbers of README and report: written from the committed result tables, never by hand.

A text's section "## Results" is written by this module once runs are published: `python -m
env_lib.report RUN ...` pools runs of one duty into `figures/<duty>` and rewrites the section, all
published duties in it; a test holds it against the tables.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.paths import FIGURES, ROOT

if TYPE_CHECKING:
    from env_lib.plots.reported import Reported

TEXTS = ("README.md", "papers/report.md")
ALL = "all"


def _interval(row: Any, name: str) -> str:
    if row["low"] != row["low"]:  # NaN: one task has no interval
        return f"{row[name]:.2f}"
    return f"{row[name]:.2f} [{row['low']:.2f}, {row['high']:.2f}]"


def _table(figures: Path, name: str, split: str) -> Any:
    import pandas as pd

    table = pd.read_csv(figures / "tables" / f"{name}.csv", dtype={"training_seed": str})
    return table[table.split == split]


def scores_block(duty: str, figures: Path, split: str) -> str:
    """The normalised score of each policy: pooled, with its interval, and by training seed.

    Below it, the tiers that were played with fewer steps than they have.
    """
    table = _table(figures, "scores", split)
    pooled = table[table.training_seed == ALL].sort_values("score", ascending=False)
    lines = ["| policy | score [95 %] | by training seed | episodes |", "| --- | --- | --- | --- |"]
    for _, row in pooled.iterrows():
        own = table[(table.policy == row.policy) & (table.training_seed != ALL)]
        seeds = " · ".join(f"{score:.2f}" for score in own.score) or "-"
        lines.append(f"| `{row.policy}` | {_interval(row, 'score')} | {seeds} | {row.episodes} |")
    return "\n".join([*lines, *_shortened(duty, figures, split)])


def _shortened(duty: str, figures: Path, split: str) -> list[str]:
    """The footnote on episodes shorter than their tiers', no line where there are none."""
    from env_lib.registry import duty_module

    played = _table(figures, "returns", split).groupby("scenario")["budget"].min()
    short = [
        f"{name} {played[name]} of {tier.steps}"
        for name, tier in duty_module(duty).SCENARIOS.items()
        if played.get(name, tier.steps) < tier.steps
    ]
    told = f"Shortened episodes, steps of the tier's own: {', '.join(short)}."
    return ["", told] if short else []


def differences_block(figures: Path, split: str) -> str:
    """Paired differences in return an episode: over the tiers' mean, and each tier apart."""
    table = _table(figures, "differences", split)
    table = table[table.training_seed == ALL]
    tiers = [name for name in table.scenario.drop_duplicates() if name != ALL]
    lines = [
        f"| comparison | mean of tiers | {' | '.join(tiers)} |",
        f"| --- | --- |{' --- |' * len(tiers)}",
    ]
    for (a, b), part in table.groupby(["a", "b"], sort=False):
        by_tier = {row.scenario: _interval(row, "mean") for _, row in part.iterrows()}
        cells = " | ".join(by_tier.get(tier, "-") for tier in (ALL, *tiers))
        lines.append(f"| `{a}` - `{b}` | {cells} |")
    return "\n".join(lines)


def verdict(figures: Path, split: str, a: str = "grpo", b: str = "sft") -> str:
    """Say in a sentence whether `a` differs from `b`: over the tiers' mean, and on which tiers."""
    table = _table(figures, "differences", split)
    rows = table[(table.training_seed == ALL) & (table.a == a) & (table.b == b)]
    words = {"more": rows[rows.low > 0], "less": rows[rows.high < 0]}
    clear = {word: [n for n in part.scenario if n != ALL] for word, part in words.items()}
    whole = next((word for word, part in words.items() if ALL in set(part.scenario)), "")
    mean = _interval(rows[rows.scenario == ALL].iloc[0], "mean")
    text = f"`{a}` earns {mean} an episode more than `{b}` over the tiers' mean: "
    text += f"{whole}, clear of zero." if whole else "no difference that these runs can tell."
    told = [f"{word} on {', '.join(names)}" for word, names in clear.items() if names]
    if told:
        tiers = rows.scenario.nunique() - 1
        text += f" Of {tiers} tiers it earns {' and '.join(told)} with the interval clear of zero, "
        text += "not corrected for their number."
    return text


def own_block(own: Reported, figures: Path, split: str) -> str:
    """The duty's own table: a row a policy, and a training seed where several were trained."""
    table = _table(figures, own.table, split)
    if own.across != "group":
        table = table[table.group == ALL]
    lines = [
        f"| policy | {' | '.join(own.columns.values())} |",
        f"| --- |{' --- |' * len(own.columns)}",
    ]
    for policy in own.policies:
        rows = table[table.policy == policy]
        for seed, part in rows.groupby("training_seed"):
            told = f", seed {seed}" if rows.training_seed.nunique() > 1 else ""
            shown = {row[own.across]: _interval(row, own.value) for _, row in part.iterrows()}
            cells = " | ".join(shown.get(name, "-") for name in own.columns)
            lines.append(f"| `{policy}`{told} | {cells} |")
    return "\n".join(lines)


def training_block(figures: Path) -> str:
    """What each training seed measured on its way, and how long it took."""
    from env_lib.runs import read_json

    lines = [
        "| training seed | valid answers before → after SFT | truncated after SFT "
        "| gate: success rate, G | GRPO steps | reward, first → last third "
        "| validation by round, from 0; kept | minutes (SFT, GRPO, evaluation) | commit |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for run in read_json(figures / "results.json")["runs"]:
        sft, grpo, gate = run["metrics"]["sft"], run["metrics"]["grpo"], run["preflight"]
        wall = [run["manifests"][step]["wall_seconds"] / 60 for step in ("sft", "grpo", "eval")]
        before, after = sft["before"]["valid_share"], sft["after"]["valid_share"]
        first, last = grpo["reward_first_third"], grpo["reward_last_third"]
        lines.append(
            f"| {run['seed']} | {before:.2f} → {after:.2f} | {sft['after']['truncated_share']:.2f} "
            f"| {gate['success_rate']:.2f}, {gate['G']} | {grpo['steps']} "
            f"| {first:.2f} → {last:.2f} | {_rounds(grpo)} "
            f"| {', '.join(f'{minutes:.0f}' for minutes in wall)} "
            f"| {run['manifests']['eval']['commit']} |"
        )
    return "\n".join(lines)


def _rounds(grpo: dict[str, Any]) -> str:
    """Return the validation returns of a run's rounds and the round that was kept."""
    told = [f"{grpo['val_return'][number]:.2f}" for number in sorted(grpo["val_return"], key=int)]
    return f"{', '.join(told) or '-'}; {grpo['kept_round']}"


def published(figures: Path = FIGURES) -> list[str]:
    """Return the duties of which results are there."""
    from env_lib.registry import DUTIES

    return [duty for duty in DUTIES if (figures / duty / "results.json").is_file()]


def duty_section(duty: str, figures: Path, images: str) -> str:
    """Return one duty's part: what was run; scores, differences, its own table; training.

    The tables are those of each split. What is the duty's own is what its module `figures` declares
    as `REPORTED`. `images` is the path from the text's folder to the duty's figures.
    """
    from env_lib.plots.publishing import of_split
    from env_lib.registry import duty_figures, duty_module, judged_splits
    from env_lib.runs import read_json

    told = read_json(figures / "results.json")
    runs, own = told["runs"], getattr(duty_figures(duty), "REPORTED", None)
    seeds = ", ".join(str(run["seed"]) for run in runs)
    many = f"training seeds {seeds}" if len(runs) > 1 else f"training seed {seeds}"
    times = getattr(duty_module(duty, "policies"), "RULES_PLAY", 1)
    more = (
        f" Honest rule-based policies play {times} times as many tasks as the models; differences "
        "are taken on the tasks that both played."
        if times > 1
        else ""
    )
    few = "" if len(runs) >= 3 else " Fewer than three training seeds: an example, not a claim."
    text = f"### {duty}\n\nProfile `{runs[0]['profile']}`, {many}.{few}{more}\n\n"
    for split in judged_splits(duty):
        image = f"{images}/{of_split('results', split)}.png"
        text += f"""Split `{split}`:

![Normalised score by policy with 95 % intervals, {split}]({image})

{scores_block(duty, figures, split)}

Paired differences in return an episode on `{split}`; an interval across zero decides nothing.

{differences_block(figures, split)}

{verdict(figures, split)}

"""
        if own:
            text += f"{own.note}\n\n{own_block(own, figures, split)}\n\n"
    for name, shown in (own.figures if own else {}).items():
        text += f"![{shown}]({images}/{name}.png)\n\n"
    if told.get("pages"):
        links = [f"[{Path(page).stem}]({images}/{page})" for page in told["pages"]]
        text += f"Two policies on the same episode, step by step: {', '.join(links)}.\n\n"
    return (
        text
        + f"""How training went, by seed:

{training_block(figures)}

![Learning curves of GRPO]({images}/grpo.png)

"""
    )


def results_section(figures: Path, images: str) -> str:
    """Return the section, a part for each published duty; `images` leads to the figures."""
    from env_lib.judge import BASE_PART

    parts = [duty_section(duty, figures / duty, f"{images}/{duty}") for duty in published(figures)]
    return f"""## Results

The same episodes for every policy, on tasks that training never saw. The score is 0 for `random`
and 1 for the oracle, each tier weighing the same; intervals are 95 % bootstrap intervals over
tasks, training seeds averaged first; where a policy played one task a tier, the tiers are
resampled. A base model plays one in {BASE_PART} of the tasks. All figures and tables: `figures/`.

{"".join(parts)}"""


def filled(text: str, section: str) -> str:
    """Return `text` with its section "## Results" replaced.

    Raises:
        ValueError: the text has no such section.
    """
    parts = re.split(r"^(?=## )", text, flags=re.M)
    places = [i for i, part in enumerate(parts) if part.startswith("## Results")]
    if not places:
        raise ValueError('the text has no section "## Results" to fill')
    parts[places[0]] = section
    return "".join(parts)


def section_of(name: str, figures: Path = FIGURES) -> str:
    """Return the section for one of TEXTS."""
    return results_section(figures, "figures" if "/" not in name else "../figures")


def main(folders: Sequence[str]) -> int:
    """Publish runs and rewrite the texts; return the exit status."""
    from env_lib.plots import publish
    from env_lib.runs import write_text

    if not folders:
        print("usage: python -m env_lib.report RUN_FOLDER ...", file=sys.stderr)
        return 2
    publish([Path(folder) for folder in folders])
    for name in TEXTS:
        path = ROOT / name
        write_text(path, filled(path.read_text(encoding="utf-8"), section_of(name)))
        print(f"{name} rewritten")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
