"""All figures and result tables of a run, and the committed ones of several training seeds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from env_lib.paths import FIGURES
from env_lib.plots import judging, pooling, results, style, training
from env_lib.profiles import PROFILES

if TYPE_CHECKING:
    import pandas as pd

    from env_lib.runs import Run

STEPS = ("data", "sft", "grpo", "eval")
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

    Figures go to `to`, tables to `to/tables`, what was run to `to/results.json`.

    Raises:
        ValueError: no run, two of one seed, or runs of different duties or profiles.
    """
    from env_lib.runs import write_json

    folders = [Path(folder) for folder in run_folders]
    told = [_told(folder) for folder in folders]
    kinds = {(t["duty"], t["profile"]) for t in told}
    seeds = [t["seed"] for t in told]
    if len(kinds) != 1 or len(set(seeds)) < len(seeds):
        raise ValueError(
            f"pooled runs share duty and profile and differ in seed; got {kinds}, seeds {seeds}"
        )
    mastery = PROFILES[told[0]["profile"]].mastery
    paths = _write(folders, told[0]["duty"], mastery, to)
    tables = sorted(p.relative_to(to).as_posix() for p in (to / "tables").glob("*.csv"))
    write_json(to / "results.json", {"runs": told, "tables": tables})
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

    episodes = pooling.episodes_of(folders)
    frame = pooling.frame_of(episodes)
    tables = {
        "scores": pooling.scores(frame),
        "returns": table_of([episode for _, episode in episodes]),
        "held_out": pooling.metric_table(frame),
        "differences": pooling.differences(frame, _pairs(folders[0])),
        "audit": style.table_of(folders[0] / "eval" / "audit.csv"),
    }
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


def figures_of(
    tables: dict[str, pd.DataFrame], duty: str, mastery: float
) -> dict[str, Callable[[], Any]]:
    """Return what draws each figure, by the name of its file."""
    from env_lib.registry import duty_module

    exploits = duty_module(duty, "policies").EXPLOITS
    order = tuple(duty_module(duty).ENVIRONMENT.action_type.needs)
    pairs, returned = tables["confusion"], tables["returns"]
    gains = tables["differences"]
    pooled = gains[gains["training_seed"] == pooling.ALL]
    judged = [name for name in ("sft", "grpo") if name in set(pairs["policy"])]
    return {
        "results": lambda: results.results_by_policy(tables["scores"], exploits),
        "per_step": lambda: results.per_step_by_tier(returned),
        "differences": lambda: results.paired_differences(pooled),
        "sft": lambda: training.sft_curves(tables["sft"]),
        "grpo": lambda: training.grpo_curves(tables["grpo"]),
        "components": lambda: training.grpo_components(tables["grpo"]),
        "curriculum": lambda: training.curriculum(tables["curriculum"], mastery),
        "confusion": lambda: judging.confusion(pairs, judged[-1], order),
        "calibration": lambda: judging.calibration(pairs, judged),
        "spam": lambda: results.spam_by_tier(tables["held_out"]),
        "audit": lambda: results.exploit_audit(tables["audit"]),
    }
