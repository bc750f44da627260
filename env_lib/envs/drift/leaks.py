"""What must stay hidden in drift, and checks that it does: each returns what leaked, or ""."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from statistics import mean

from env_lib.envs.drift import judge
from env_lib.envs.drift.env import SCENARIOS, DriftEnv, task_of
from env_lib.envs.drift.exploits import EXPLOITS
from env_lib.envs.drift.library import library_file, rows_of
from env_lib.envs.drift.policies import Noop, PrimitiveSearch, TracebackReader
from env_lib.envs.drift.pool import rows
from env_lib.envs.drift.records import Task
from env_lib.envs.drift.shared import faults
from env_lib.rollout import Oracle, Policy, run_episode

TASKS = 4
"""Tasks a tier that checks play to their end."""


def _tasks(split: str, seeds: Sequence[int]) -> Iterator[tuple[str, int, Task]]:
    for tier in SCENARIOS:
        for seed in seeds:
            yield tier, seed, task_of(split, tier, seed)


def _words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))


def _hidden(split: str, seeds: Sequence[int]) -> str:
    """No observation holds the drift, the reference or a word that only the repair has."""
    for tier, seed, task in _tasks(split, seeds):
        obs = DriftEnv(scenario=tier, split=split).reset(seed=seed)
        text = obs.model_dump_json()
        for secret in ("overlay", "reference", "repairs", "breakages", "expected"):
            if secret in type(obs).model_fields:
                return f"{secret!r} is a field of the observation"
        for known in task.breakages:
            if known in text:
                return f"{known} is in an observation of {tier}, seed {seed}"
        if json.dumps(task.reference)[1:-1] in text:
            return f"the reference is in an observation of {tier}, seed {seed}"
        told = _words(f"{obs.message} {obs.traceback_end} {task.source}")
        shown = {name for name, _ in obs.versions} | _words(json.dumps(obs.differs))
        for repair in task.repairs:
            new = {w for w in _words(repair.new) if len(w) > 3} - told - shown - _words(obs.code)
            if new & _words(obs.prompt):
                return f"{min(new)} is in the prompt of {tier}, seed {seed}"
    return ""


def _expected(split: str, seeds: Sequence[int]) -> str:
    """A script that does not run to its end shows nothing of the value that is expected."""
    for tier, seed, task in _tasks(split, seeds):
        obs = DriftEnv(scenario=tier, split=split).reset(seed=seed)
        if obs.error_type and (obs.differs or "before" in obs.metadata):
            return f"the expected value is in an observation of {tier}, seed {seed}"
        if any(
            json.dumps(value) in obs.model_dump_json()
            for value in task.expected[1:]
            if len(json.dumps(value)) > 12
        ):
            return f"a further input's value is in an observation of {tier}, seed {seed}"
    return ""


def _broken_and_mended(split: str, seeds: Sequence[int]) -> str:
    """Every task is broken as it is, and its reference is right on every input."""
    for _, _, task in _tasks(split, seeds):
        if judge.seen(task, task.source).right:
            return f"{task.id} is not broken"
        if judge.held_out(task, task.reference)["solved"] != 1.0:
            return f"{task.id} is not mended by its reference"
    return ""


def _share(policy: type[Policy], split: str, seeds: Sequence[int]) -> float:
    """Return the share of TASKS tasks of each tier that the held-out judge calls solved."""
    return mean(
        run_episode(DriftEnv(scenario=tier, split=split), policy(), seed).metrics["solved"]
        for tier in SCENARIOS
        for seed in seeds[:TASKS]
    )


def _solved(split: str, seeds: Sequence[int]) -> tuple[str, str]:
    """The held-out judge: exploits and noop solve nothing, rules some, the oracle everything."""
    top, nothing = _share(Oracle, split, seeds), _share(Noop, split, seeds)
    rules = {p.name: _share(p, split, seeds) for p in (TracebackReader, PrimitiveSearch)}
    cheats = {p.name: _share(p, split, seeds) for p in EXPLOITS}
    worst = max(cheats, key=lambda name: cheats[name])
    told = ", ".join(f"{name} {share:.2f}" for name, share in rules.items())
    figure = f"solved: oracle {top:.2f}, {told}, noop {nothing:.2f}, {worst} {cheats[worst]:.2f}"
    fine = top == 1 and nothing == 0 and cheats[worst] == 0 and 0 < rules["primitive_search"] < 1
    return ("" if fine else "out of order"), figure


def _splits(split: str, seeds: Sequence[int]) -> str:
    """Train, val and what is tested share no script, no breakage and no version step."""
    return next(iter(faults(rows())), "")


def _repair_library(split: str, seeds: Sequence[int]) -> str:
    """What the repair library recalls was learned on train tasks alone."""
    train = {
        (primitive, old, new)
        for line in rows() if line["split"] == "train"
        for primitive, _, old, new in line["repairs"]
    }  # fmt: skip
    for row in rows_of(library_file()):
        if (row.primitive, row.old, row.new) not in train:
            return f"{row.primitive} {row.old} is of no train task"
    return ""


CHECKS = {
    "observations hold nothing hidden": _hidden,
    "expected values stay hidden": _expected,
    "every task is broken, and mended by its reference": _broken_and_mended,
    "train, val and test share no script, breakage or version step": _splits,
    "the repair library is of train tasks": _repair_library,
    "solved by further inputs: exploits, noop < rules < oracle": _solved,
}
