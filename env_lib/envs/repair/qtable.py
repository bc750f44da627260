"""Tabular Q-learning that keeps its table across episodes and tasks, and in a file.

A value is looked up under the fine name of a state, drawn towards that under the coarse one as long
as the fine one was seen seldom. See `qview` for states and columns.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from env_lib.envs.repair.corpus import folder
from env_lib.envs.repair.qview import Memory

if TYPE_CHECKING:
    from env_lib.envs.repair.env import RepairAction, RepairObservation

SLOWEST, GAMMA = 0.02, 0.98
EPSILON = 0.3
DRAWN = 4.0
"""Visits that the coarse value weighs as much as."""
EPISODES = 1500
CHECKED = 24
"""Episodes after which the digest that the file states is taken: a test plays them again."""


@dataclass
class QTable:
    """Values and visits by state and column."""

    values: dict[str, dict[str, list[float]]] = field(default_factory=dict)

    def value(self, keys: Sequence[str], column: str) -> float:
        """Return what a column is worth in a state, which `keys` name from fine to coarse."""
        worth = 0.0
        for key in reversed(keys):
            value, visits = self.values.get(key, {}).get(column, (0.0, 0))
            worth = (visits * value + DRAWN * worth) / (visits + DRAWN)
        return worth

    def best(self, keys: Sequence[str], columns: Iterable[str]) -> str:
        """Return the best of some columns, ties by name."""
        return max(sorted(columns), key=lambda column: self.value(keys, column))

    def act(self, obs: RepairObservation, memory: Memory) -> RepairAction:
        """Return the greedy action among those not tried yet, and remember it."""
        choices = memory.choices(obs)
        action = choices[self.best(memory.keys(obs), choices)]
        memory.note(obs, action)
        return action

    def learn(self, keys: Sequence[str], column: str, target: float) -> None:
        """Move a value towards its target, the more the seldomer it was."""
        for key in keys:
            entry = self.values.setdefault(key, {}).setdefault(column, [0.0, 0])
            entry[1] += 1
            entry[0] += max(SLOWEST, 1 / entry[1]) * (target - entry[0])

    def digest(self) -> str:
        """Return the SHA-256 of the table's JSON."""
        text = json.dumps(self.values, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()

    def save(self, path: Path, begins: str) -> None:
        """Write the table as JSON, sorted, and its digest after the first `CHECKED` episodes."""
        from env_lib.runs import write_text

        rounded = {
            key: {column: [round(value, 4), visits] for column, (value, visits) in row.items()}
            for key, row in self.values.items()
        }
        lines = [
            f"{json.dumps(key)}: {json.dumps(row, sort_keys=True)}"
            for key, row in sorted(rounded.items())
        ]
        write_text(path, f'{{"begins": "{begins}", "values": {{\n' + ",\n".join(lines) + "\n}}\n")


def train(episodes: int = EPISODES, seed: int = 0, stop_after: int | None = None) -> QTable:
    """Learn on the train split, the tiers in turn; each episode is learnt from its end backwards.

    `stop_after` ends the run of `episodes` early, for who wants to see how it begins.
    """
    from env_lib.envs.repair.env import SCENARIOS, RepairEnv

    learnt, rng = QTable(), random.Random(f"repair/q/{seed}")
    envs = [RepairEnv(scenario=tier, split="train") for tier in SCENARIOS]
    for episode in range(episodes if stop_after is None else stop_after):
        env = envs[episode % len(envs)]
        obs, memory = env.reset(seed=seed + episode // len(envs)), Memory()
        path = []
        while not obs.done:
            keys, choices = memory.keys(obs), memory.choices(obs)
            bold = rng.random() < EPSILON * (1 - episode / episodes)
            column = rng.choice(sorted(choices)) if bold else learnt.best(keys, choices)
            memory.note(obs, choices[column])
            obs = env.step(choices[column])
            then = () if obs.done else sorted(memory.choices(obs))
            path.append((keys, column, obs.reward or 0.0, memory.keys(obs), then))
        for keys, column, reward, after, then in reversed(path):
            later = max((learnt.value(after, name) for name in then), default=0.0)
            learnt.learn(keys, column, reward + GAMMA * later)
    return learnt


def table_file() -> Path:
    """Return the file of the bundled table: default arguments, on an earlier making of the pool."""
    return folder() / "q_table.json"


@lru_cache(maxsize=1)
def table() -> QTable:
    """Return the kept table; learn it once where the file is missing."""
    path = table_file()
    if path.is_file():
        return QTable(json.loads(path.read_text(encoding="utf-8"))["values"])
    learnt = train()
    learnt.save(path, begins=train(stop_after=CHECKED).digest())
    return learnt
