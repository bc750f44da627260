"""Tabular Q-learning that keeps its table across episodes and tasks, and in a file.

State: kind of the last error, passing count, undo possible, step (capped). Action: the family of
the offered transformation, or a decision. The families are few, so that the table generalises.
"""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from env_lib.envs.repair.corpus import folder

if TYPE_CHECKING:
    from env_lib.envs.repair.env import RepairAction, RepairObservation

FAMILY_WORDS = 2
ALPHA, GAMMA, EPSILON = 0.2, 0.95, 0.2
EPISODES = 200
LAST_STEP = 6


def family(transform_id: str) -> str:
    """Return the family of a transformation: its first words, target left out."""
    return "_".join(transform_id.partition(":")[0].split("_")[:FAMILY_WORDS])


def state_of(obs: RepairObservation) -> str:
    """Return the table's key of an observation."""
    kind = obs.error_type or (obs.failed[0][1].partition(" ")[0][:12] if obs.failed else "pass")
    missing = min(3, len(obs.failed))
    return f"{kind}|{missing}|{int(obs.can_undo)}|{min(obs.step, LAST_STEP)}"


def choices(obs: RepairObservation) -> dict[str, list[RepairAction]]:
    """Return what can be done, by the table's column."""
    from env_lib.envs.repair.env import RepairAction

    found: dict[str, list[RepairAction]] = {"submit": [RepairAction(action_type="submit")]}
    if obs.can_undo:
        found["undo"] = [RepairAction(action_type="undo")]
    for number, (name, _) in enumerate(obs.offers):
        action = RepairAction(action_type="apply", offer=number)
        found.setdefault(family(name), []).append(action)
    return found


@dataclass
class QTable:
    """Values by state and column; `act` is greedy, ties by name."""

    values: dict[str, dict[str, float]] = field(default_factory=dict)

    def best(self, obs: RepairObservation) -> str:
        """Return the best column of a state; unseen columns count as 0."""
        row = self.values.get(state_of(obs), {})
        return max(sorted(choices(obs)), key=lambda name: row.get(name, 0.0))

    def act(self, obs: RepairObservation) -> RepairAction:
        """Return the greedy action; of several offers of a family the first."""
        return choices(obs)[self.best(obs)][0]

    def learn(self, key: str, column: str, target: float) -> None:
        """Move one value towards its target."""
        row = self.values.setdefault(key, {})
        row[column] = row.get(column, 0.0) + ALPHA * (target - row.get(column, 0.0))

    def save(self, path: Path) -> None:
        """Write the table as JSON."""
        from env_lib.runs import write_json

        write_json(path, self.values)


def train(episodes: int = EPISODES, seed: int = 0, start: QTable | None = None) -> QTable:
    """Learn on the train split, epsilon-greedy; goes on from `start` where given."""
    from env_lib.envs.repair.env import RepairEnv

    rng = random.Random(f"repair/q/{seed}")
    learnt = start or QTable()
    env = RepairEnv(scenario="R1", split="train")
    for episode in range(episodes):
        obs = env.reset(seed=seed + episode)
        while not obs.done:
            options = choices(obs)
            column = rng.choice(sorted(options)) if rng.random() < EPSILON else learnt.best(obs)
            key = state_of(obs)
            obs = env.step(options[column][0])
            later = 0.0
            if not obs.done:
                row = learnt.values.get(state_of(obs), {})
                later = max((row.get(name, 0.0) for name in choices(obs)), default=0.0)
            learnt.learn(key, column, (obs.reward or 0.0) + GAMMA * later)
    return learnt


def table_file() -> Path:
    """Return the file of the bundled table, learnt with the default arguments."""
    return folder() / "q_table.json"


@lru_cache(maxsize=1)
def table() -> QTable:
    """Return the kept table; learn it once where the file is missing."""
    path = table_file()
    if path.is_file():
        return QTable(json.loads(path.read_text(encoding="utf-8")))
    learnt = train()
    learnt.save(path)
    return learnt
