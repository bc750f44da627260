"""All figures and result tables of a run, and the committed ones of several training seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.paths import FIGURES
from env_lib.plots import judging, pooling, results, style, training
from env_lib.profiles import PROFILES

if TYPE_CHECKING:
    import pandas as pd

    from env_lib.runs import Run

STEPS = ("data", "sft", "grpo", "eval")
LINES = ("oracle", "grpo", "sft", "base_few_shot")
"""Policies of the figures by tier; those that the duty compares with follow."""
LOGS = {"sft": "sft/log.csv", "grpo": "grpo/log.csv", "curriculum": "grpo/curriculum.csv"}


def all_figures(run: Run) -> dict[str, Path]:
    """Draw every figure of a run from its files alone; write it and its tables to `figures/`.

    Returns the path of each figure by name. The tables are CSV files in `figures/tables/`.

    Raises:
        FileNotFoundError: a step has not been run; the message names the file.
    """
    inputs = [run.path("eval"), run.path("sft", "log.csv"), run.path("grpo", "log.csv")]
    with run.step("figures", run.inputs("figures", inputs)) as folder:
        return _write([run.folder], run.duty, run.profile.mastery, folder)


def publish(run_folders: Sequence[Path], to: Path = FIGURES) -> dict[str, Path]:
    """Pool runs of one duty that differ in their training seed, and write the committed results.

    In `to/<duty>`: figures, tables in `tables`, what was run in `results.json`, and where the duty
    has such, pages of single episodes of the first training seed in `pages`. Returns the path of
    each figure by name.

    Raises:
        ValueError: no run, two of one seed, or runs of different duties or profiles.
    """
    from env_lib.registry import write_pages
    from env_lib.runs import write_json

    folders = [Path(folder) for folder in run_folders]
    told = [_told(folder) for folder in folders]
    kinds = {(t["duty"], t["profile"]) for t in told}
    seeds = [t["seed"] for t in told]
    if len(kinds) != 1 or len(set(seeds)) < len(seeds):
        raise ValueError(
            f"pooled runs share duty and profile and differ in seed; got {kinds}, seeds {seeds}"
        )
    duty, mastery = told[0]["duty"], PROFILES[told[0]["profile"]].mastery
    to = to / duty
    paths = _write(folders, duty, mastery, to)
    pages = write_pages(duty, folders[seeds.index(min(seeds))], to / "pages")
    tables = sorted((to / "tables").glob("*.csv"))
    files = {
        name: [path.relative_to(to).as_posix() for path in some]
        for name, some in (("tables", tables), ("pages", pages))
    }
    write_json(to / "results.json", {"runs": told, **files})
    return paths


def _told(folder: Path) -> dict[str, Any]:
    """What a run says of itself: its manifests, metrics and the gate's measurements."""
    from env_lib.runs import read_json

    manifests = {step: read_json(folder / step / "manifest.json") for step in STEPS}
    numbers = {
        step: read_json(path)
        for step in STEPS
        if (path := folder / step / "metrics.json").is_file()
    }
    gate = folder / "grpo" / "preflight.json"
    last = manifests["eval"]
    return {
        "run": folder.name, "duty": last["duty"], "profile": last["profile"], "seed": last["seed"],
        "manifests": manifests, "metrics": numbers,
        "preflight": read_json(gate) if gate.is_file() else None,
    }  # fmt: skip


def _write(folders: Sequence[Path], duty: str, mastery: float, to: Path) -> dict[str, Path]:
    """Write tables first, then each figure from them."""
    tables = tables_of(folders)
    for name, table in tables.items():
        write_csv(to / "tables" / f"{name}.csv", table)
    drawn = figures_of(tables, duty, mastery)
    return {name: style.save(draw(), to / f"{name}.png") for name, draw in drawn.items()}


def write_csv(path: Path, table: pd.DataFrame) -> None:
    """Write a table atomically, floats with six significant digits."""
    from env_lib.runs import write_text

    write_text(path, table.to_csv(index=False, float_format="%.6g"))


def tables_of(folders: Sequence[Path]) -> dict[str, pd.DataFrame]:
    """Return the result tables of one or several runs, by name."""
    import pandas as pd

    from env_lib.evaluation import table_of
    from env_lib.registry import duty_figures

    episodes = pooling.episodes_of(folders)
    frame, pairs = pooling.frame_of(episodes), _pairs(folders[0])
    splits = list(frame.groupby("split"))

    def apart(table: Callable[[pd.DataFrame], pd.DataFrame]) -> pd.DataFrame:
        return pd.concat([table(part).assign(split=split) for split, part in splits])

    tables = {
        "scores": apart(pooling.scores),
        "returns": table_of([episode for _, episode in episodes]),
        "held_out": apart(pooling.metric_table),
        "by_source": pooling.by_source(episodes),
        "differences": apart(lambda part: pooling.differences(part, pairs)),
        "audit": style.table_of(folders[0] / "eval" / "audit.csv"),
    }
    if own := duty_figures(episodes[0][1].duty):
        tables |= own.tables(episodes)
    for name, place in {"evaluation": "eval/table.csv", "pairs": "eval/pairs.csv", **LOGS}.items():
        parts = [
            style.table_of(folder / place).assign(training_seed=pooling.training_seed(folder))
            for folder in folders
        ]
        tables[name] = pd.concat(parts, ignore_index=True)
    tables["confusion"] = tables.pop("pairs")
    return tables


def _pairs(folder: Path) -> list[tuple[str, str]]:
    """The pairs of policies that the evaluation compared."""
    table = style.table_of(folder / "eval" / "differences.csv")
    return list(dict.fromkeys(zip(table["a"], table["b"], strict=True)))


def of_split(name: str, split: str) -> str:
    """Return the name of a figure that there is for each split: plain for `test`."""
    return name if split == "test" else f"{name}_{split}"


def figures_of(
    tables: dict[str, pd.DataFrame], duty: str, mastery: float
) -> dict[str, Callable[[], Any]]:
    """Return what draws each figure, by the name of its file."""
    from env_lib.registry import duty_figures, duty_module, judged_splits

    rules, own = duty_module(duty, "policies"), duty_figures(duty)
    lines = dict.fromkeys((*LINES, *rules.COMPARED, rules.LOOK_AHEAD, "random"))
    order = tuple(duty_module(duty).ENVIRONMENT.action_type.needs)
    pairs = tables["confusion"]
    judged = [name for name in ("sft", "grpo") if name in set(pairs["policy"])]
    played = set(tables["scores"]["split"])
    found: dict[str, Callable[[], Any]] = {}
    for split in (split for split in judged_splits(duty) if split in played):
        scores, returned, gains = (
            tables[name][tables[name]["split"] == split]
            for name in ("scores", "returns", "differences")
        )
        gains = gains[gains["training_seed"] == pooling.ALL]
        found |= {
            of_split("results", split): partial(results.results_by_policy, scores, rules.EXPLOITS),
            of_split("per_step", split): partial(results.per_step_by_tier, returned, lines),
            of_split("differences", split): partial(results.paired_differences, gains),
        }
    return found | {
        "sft": lambda: training.sft_curves(tables["sft"]),
        "grpo": lambda: training.grpo_curves(tables["grpo"]),
        "components": lambda: training.grpo_components(tables["grpo"]),
        "curriculum": lambda: training.curriculum(tables["curriculum"], mastery),
        "confusion": lambda: judging.confusion(pairs, judged[-1], order),
        "calibration": lambda: judging.calibration(pairs, judged),
        "audit": lambda: results.exploit_audit(tables["audit"]),
        **{name: partial(draw, tables) for name, draw in (own.FIGURES if own else {}).items()},
    }
