"""What must stay hidden in repair, and checks that it does: each returns what leaked, or ""."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from env_lib.envs.repair.env import SCENARIOS, RepairEnv
from env_lib.envs.repair.menu import next_step
from env_lib.envs.repair.policies import FirstOffered, RandomPolicy
from env_lib.intervals import mean_interval
from env_lib.rollout import Policy, run_episode

TOLERANCE = 4.0
"""Standard errors that a place of the menu may be off."""


def _hidden_tests(split: str, seeds: Sequence[int]) -> str:
    for tier in SCENARIOS:
        for seed in seeds:
            env = RepairEnv(scenario=tier, split=split)
            obs = env.reset(seed=seed)
            while not obs.done:
                text = obs.model_dump_json()
                for secret in ("hidden", "reference", "impossible"):
                    if secret in set(type(obs).model_fields) or f'"{secret}"' in text:
                        return f"{secret!r} is in an observation of {tier}, seed {seed}"
                if env._task.reference.strip() in obs.prompt and obs.failed:
                    return f"the reference is in the prompt of {tier}, seed {seed}"
                obs = env.step(env.oracle_action())
    return ""


def _place_in_menu(split: str, seeds: Sequence[int]) -> str:
    """The right offer stands in every place of the menu about equally often."""
    places: Counter[int] = Counter()
    sizes = []
    for seed in range(100 + 10 * len(seeds)):
        env = RepairEnv(split=split)
        obs = env.reset(seed=seed)
        step = next_step(env._source, env._task.reference)
        if step and len(obs.offers) > 1:
            places[env._menu().index(step)] += 1
            sizes.append(len(obs.offers))
    if not sizes:
        return "no task has an offered repair"
    total = len(sizes)
    expected = sum(1 / size for size in sizes)
    spread = (expected * (1 - expected / total)) ** 0.5
    worst, count = places.most_common(1)[0]
    if abs(count - expected) > TOLERANCE * spread:
        return (
            f"the repair stands in place {worst} {count} times of {total}, {expected:.0f} expected"
        )
    return ""


def _first_offered(split: str, seeds: Sequence[int]) -> str:
    """Taking the first of the menu is no better than taking any: the gain's interval holds zero."""
    gains = [
        _total(FirstOffered(), split, seed) - _total(RandomPolicy(), split, seed)
        for seed in range(20 + 2 * len(seeds))
    ]
    gain = mean_interval(gains)
    return f"first_offered earns {gain.mean:.1f} more than random" if gain.low > 0 else ""


def _total(policy: Policy, split: str, seed: int) -> float:
    return run_episode(RepairEnv(split=split), policy, seed).total_reward


CHECKS = {
    "observations hold nothing hidden": _hidden_tests,
    "the place in the menu says nothing": _place_in_menu,
    "first_offered is no better than random": _first_offered,
}
