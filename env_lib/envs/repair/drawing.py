"""Which task a seed draws: the tiers, and the share of tasks that nothing can solve."""

from __future__ import annotations

from env_lib.core import Scenario, unit_noise
from env_lib.envs.repair.corpus import Task, pool
from env_lib.envs.repair.impossible import impossible

IMPOSSIBLE_SHARE = 0.05
SCENARIOS = {
    "R1": Scenario("R1", "one bug", 8),
    "R2": Scenario("R2", "two bugs", 12),
    "R3": Scenario("R3", "three bugs", 16),
}


def task_of(split: str, tier: Scenario, seed: int) -> Task:
    """Return the task of a seed; one in twenty gets tests that contradict each other."""
    tasks = pool(split, list(SCENARIOS).index(tier.name) + 1)
    task = tasks[seed % len(tasks)]
    if unit_noise("impossible", split, tier.name, seed) >= IMPOSSIBLE_SHARE:
        return task
    return impossible(task) or task
