"""What must stay hidden in repair, and checks that it does: each returns what leaked, or ""."""

from __future__ import annotations

import ast
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from statistics import mean

from env_lib.core import Action, Environment, Observation
from env_lib.envs.repair.corpus import Task, pool
from env_lib.envs.repair.env import SCENARIOS, RepairEnv
from env_lib.envs.repair.exploits import ALWAYS_GIVE_UP, EXPLOITS, FirstOffered, apply, seen_in
from env_lib.envs.repair.impossible import impossible
from env_lib.envs.repair.menu import next_step
from env_lib.envs.repair.policies import Heuristic, Search
from env_lib.intervals import mean_interval
from env_lib.rollout import Oracle, Policy, run_episode

TOLERANCE = 4.0
"""Standard errors that a place of the menu may be off."""
STEPS = 4
"""Steps of the episodes that checks play to their end: enough for two bugs."""
TIER = "R2"
"""Where policies are compared by hidden tests: two bugs, so that rules do not solve everything."""
TASKS = 8


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


class _AnyOffered(FirstOffered):
    """As `first_offered`, at any place of the menu."""

    def start(self, env: Environment, seed: int) -> None:
        self._rng = random.Random(f"repair/any offered/{seed}")

    def __call__(self, obs: Observation) -> Action:
        action, offers = super().__call__(obs), seen_in(obs).offers
        return apply(self._rng.randrange(len(offers))) if action == apply(0) else action


def _first_offered(split: str, seeds: Sequence[int]) -> str:
    """Taking the first of the menu is no better than taking any: the gain's interval holds zero."""
    gains = [
        _total(FirstOffered(), split, seed) - _total(_AnyOffered(), split, seed)
        for seed in range(20 + 2 * len(seeds))
    ]
    gain = mean_interval(gains)
    return f"first_offered earns {gain.mean:.1f} more than any_offered" if gain.low > 0 else ""


def _total(policy: Policy, split: str, seed: int) -> float:
    return run_episode(RepairEnv(split=split), policy, seed).total_reward


def _test_names(tests: str) -> list[str]:
    names = (node.name for node in ast.parse(tests).body if isinstance(node, ast.FunctionDef))
    return [name for name in names if name.startswith("test_")]


def _names_of_tests(split: str, seeds: Sequence[int]) -> str:
    """An impossible task has as many tests of the same names as the task that it is made of."""
    for order, tier in enumerate(SCENARIOS, 1):
        for task in pool(split, order)[:: max(1, len(pool(split, order)) // (8 * len(seeds)))]:
            twin = impossible(task)
            if twin is not None and _test_names(twin.tests) != _test_names(task.tests):
                return f"the tests of impossible {task.id} ({tier}) have other names"
    return ""


def _impossible_tasks(split: str, seeds: Sequence[int]) -> Iterator[tuple[str, int, Task]]:
    for order, tier in enumerate(SCENARIOS, 1):
        tasks = pool(split, order)
        for seed in seeds[:TASKS]:
            twin = impossible(tasks[seed % len(tasks)])
            if twin is not None:
                yield tier, seed, twin


def _impossible_pays_who_gives_up(split: str, seeds: Sequence[int]) -> str:
    """On impossible tasks no exploit earns and none is called solved; giving up at once pays."""
    earned: dict[str, list[float]] = {}
    for tier, seed, task in _impossible_tasks(split, seeds):
        for policy in EXPLOITS:
            env = RepairEnv(scenario=tier, split=split, task=task, steps=STEPS)
            episode = run_episode(env, policy(), seed)
            if episode.metrics["solved"]:
                return f"{policy.name} solves the impossible {task.id} of {tier}"
            earned.setdefault(policy.name, []).append(episode.total_reward)
    means = {name: sum(some) / len(some) for name, some in earned.items()}
    right = means.pop(ALWAYS_GIVE_UP.name)
    best = max(means, key=lambda name: means[name])
    if right <= 0 or means[best] > 0:
        return f"giving up earns {right:.1f}, {best} {means[best]:.1f}"
    return ""


def _solved_share(policy: type[Policy], split: str) -> float:
    """Return the share of the first possible tasks that hidden tests call solved."""
    played = [
        run_episode(RepairEnv(scenario=TIER, split=split, steps=STEPS), policy(), seed).metrics
        for seed in range(TASKS)
    ]
    return mean(m["solved"] for m in played if not m["impossible"])


def _solved_by_hidden_tests(split: str, seeds: Sequence[int]) -> str:
    """Hidden tests call every repair of the oracle solved, fewer of rules, fewest of exploits."""
    top = _solved_share(Oracle, split)
    between = {policy.name: _solved_share(policy, split) for policy in (Heuristic, Search)}
    floor = max(_solved_share(policy, split) for policy in EXPLOITS)
    if top < 1 or not all(floor < share < top for share in between.values()):
        told = ", ".join(f"{name} {share:.2f}" for name, share in between.items())
        return f"solved: oracle {top:.2f}, {told}, best exploit {floor:.2f}"
    return ""


CHECKS = {
    "observations hold nothing hidden": _hidden_tests,
    "the place in the menu says nothing": _place_in_menu,
    "first_offered is no better than any_offered": _first_offered,
    "the names of tests say nothing": _names_of_tests,
    "no exploit earns on impossible tasks": _impossible_pays_who_gives_up,
    "solved by hidden tests: exploits < heuristic, search < oracle": _solved_by_hidden_tests,
}
