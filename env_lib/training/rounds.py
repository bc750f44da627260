"""What a round of GRPO leaves: adapter, optimiser, log, climb, and its return on validation tasks.

The round that does best on them is kept, the warm start counting as round 0: a policy gradient on a
hundred states can end worse than it was half way.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from env_lib.registry import list_envs, make
from env_lib.rollout import run_lockstep
from env_lib.runs import Run, read_json, read_jsonl, write_json, write_jsonl
from env_lib.training.curriculum import Curriculum

VAL_SEED = 8000
"""Seed of the first validation task of a scenario."""


class Selection:
    """The mean return of each round on the validation split, kept in `selection.json`."""

    def __init__(self, run: Run, folder: Path, inputs: dict[str, str]) -> None:
        """Read what a killed run has measured."""
        self._run, self._file, self._inputs = run, folder / "selection.json", inputs
        kept = read_json(self._file) if self._file.is_file() else {}
        self.returns: dict[int, float] = {}
        if kept.get("inputs") == inputs:
            self.returns = {int(number): value for number, value in kept["val_return"].items()}

    def add(self, number: int, model: Any, tokenizer: Any) -> None:
        """Measure a round's model, unless that is done or the profile asks for no selection."""
        if number in self.returns or not self._run.profile.grpo_select:
            return
        self.returns[number] = validation_return(self._run, model, tokenizer)
        print(f"round {number}: {self.returns[number]:.2f} a validation task", flush=True)
        write_json(self._file, {"val_return": self.returns, "inputs": self._inputs})

    def best(self) -> int:
        """Return the round to keep: the best, of equals the earliest; the last without measures."""
        if not self.returns:
            return self._run.profile.grpo_rounds
        return max(sorted(self.returns), key=lambda number: self.returns[number])


def validation_return(run: Run, model: Any, tokenizer: Any) -> float:
    """Return the mean return of greedy play on `grpo_select` validation tasks a scenario."""
    from env_lib.policy_model import ModelPolicy

    writer = ModelPolicy(model, tokenizer, max_tokens=run.action_tokens)
    tasks = [
        (scenario, VAL_SEED + i)
        for scenario in list_envs()[run.duty]["scenarios"]
        for i in range(run.plays(run.profile.grpo_select))
    ]
    options = run.env_options
    envs = [make(run.duty, scenario=scenario, split="val", **options) for scenario, _ in tasks]
    played = run_lockstep(envs, writer, [seed for _, seed in tasks])
    return sum(episode.total_reward for episode in played) / len(played)


def finished(folder: Path, inputs: dict[str, str]) -> int:
    """Return how many rounds of these inputs are whole."""
    number = 0
    while True:
        mark = folder / f"round_{number + 1}" / "curriculum.json"
        if not mark.is_file() or read_json(mark).get("inputs") != inputs:
            return number
        number += 1


def save(
    folder: Path,
    number: int,
    model: Any,
    optimizer: Any,
    curriculum: Curriculum,
    log: list[dict[str, Any]],
    inputs: dict[str, str],
    seconds: float,
) -> None:
    """Write a round under a temporary name, then rename it."""
    import torch

    temporary = folder / f".round_{number}"
    shutil.rmtree(temporary, ignore_errors=True)
    model.save_pretrained(str(temporary / "adapter"), selected_adapters=["default"])
    torch.save(optimizer.state_dict(), temporary / "optimizer.pt")
    write_jsonl(temporary / "log.jsonl", log)
    rows = curriculum.rows(number)
    write_json(
        temporary / "curriculum.json",
        {**curriculum.dump(), "rows": rows, "inputs": inputs, "seconds": round(seconds, 1)},
    )
    shutil.rmtree(folder / f"round_{number}", ignore_errors=True)
    temporary.replace(folder / f"round_{number}")


def finish(run: Run, folder: Path, found: dict[str, Any], selection: Selection) -> dict[str, Any]:
    """Keep the best round's adapter, write the log and the climb, and return the metrics."""
    import pandas as pd

    kept = selection.best()
    chosen = folder / f"round_{kept}" / "adapter" if kept else run.path("sft", "adapter")
    shutil.rmtree(folder / "adapter", ignore_errors=True)
    shutil.copytree(chosen, folder / "adapter")
    log: list[dict[str, Any]] = []
    climbed: list[dict[str, Any]] = []
    seconds = 0.0
    for number in range(1, run.profile.grpo_rounds + 1):
        log += read_jsonl(folder / f"round_{number}" / "log.jsonl")
        saved = read_json(folder / f"round_{number}" / "curriculum.json")
        climbed += saved["rows"]
        seconds += saved["seconds"]
    table = pd.DataFrame(log)
    table.to_csv(folder / "log.csv", index=False)
    pd.DataFrame(climbed).to_csv(folder / "curriculum.csv", index=False)
    third = max(1, len(table) // 3)
    last = climbed[-len(list_envs()[run.duty]["scenarios"]) :]
    metrics = {
        "G": found["G"],
        "steps": len(table),
        "rounds": run.profile.grpo_rounds,
        "kept_round": kept,
        "val_return": {str(number): value for number, value in selection.returns.items()},
        "seconds": round(seconds, 1),
        "reward_first_third": float(table.reward[:third].mean()),
        "reward_last_third": float(table.reward[-third:].mean()),
        "valid_share": float(table.valid_share[-third:].mean()),
        "clipped_share": float(table.clipped_share[-third:].mean()),
        "zero_variance_share": float(table.zero_variance_share.mean()),
        "unlocked": [row["scenario"] for row in last if row["unlocked"]],
    }
    write_json(folder / "metrics.json", metrics)
    return metrics
