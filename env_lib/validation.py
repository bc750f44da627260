"""What every environment promises, checked on one seed of each scenario: for the command line.

The tests check the same on more seeds; here a user checks an own store or an own duty.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable

from env_lib.registry import duty_module, list_envs, make, policy
from env_lib.rollout import Episode, run_episode

_ELSEWHERE = (
    "import sys; from env_lib import make, policy, run_episode; d, t, s, n, p = sys.argv[1:]; "
    "print(run_episode(make(d, scenario=t, split=s), policy(d, p), int(n)).trajectory_hash)"
)


def checks(duty: str, split: str, seed: int) -> dict[str, str]:
    """Return check -> what is wrong with it, "" where it holds."""
    tiers = list_envs()[duty]["scenarios"]
    found = {"data": _data(duty)}
    per_tier: dict[str, Callable[[str, str, str, int], str]] = {
        "same seed, same trajectory": _same_twice,
        "components add up to the reward": _adds_up,
        "a branch changes nothing": _branch_is_independent,
        "oracle above every policy": _oracle_leads,
        "state is JSON": _state_is_json,
    }
    for name, check in per_tier.items():
        faults = [f"{tier}: {fault}" for tier in tiers if (fault := check(duty, tier, split, seed))]
        found[name] = "; ".join(faults)
    found["same trajectory in another process"] = _same_elsewhere(duty, tiers[-1], split, seed)
    return found


def _play(duty: str, tier: str, split: str, seed: int, name: str) -> Episode:
    return run_episode(make(duty, scenario=tier, split=split), policy(duty, name), seed)


def _data(duty: str) -> str:
    """Build the data; where the duty can check them, say what is wrong."""
    source = duty_module(duty, "data")
    source.build()
    faults: list[str] = getattr(source, "validate", list)()
    return "; ".join(faults)


def _same_twice(duty: str, tier: str, split: str, seed: int) -> str:
    first, second = (_play(duty, tier, split, seed, "random").trajectory_hash for _ in range(2))
    return "" if first == second else f"{first[:12]} and {second[:12]}"


def _same_elsewhere(duty: str, tier: str, split: str, seed: int) -> str:
    here = _play(duty, tier, split, seed, "random").trajectory_hash
    command = [sys.executable, "-c", _ELSEWHERE, duty, tier, split, str(seed), "random"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    there = done.stdout.strip() or done.stderr.strip()[-200:]
    return "" if here == there else f"{here[:12]} here, {there[:200]} there"


def _adds_up(duty: str, tier: str, split: str, seed: int) -> str:
    for number, step in enumerate(_play(duty, tier, split, seed, "random").steps):
        total = sum(step.components.values())
        if total != step.reward:
            return f"step {number}: components {total}, reward {step.reward}"
    return ""


def _branch_is_independent(duty: str, tier: str, split: str, seed: int) -> str:
    env, other = (make(duty, scenario=tier, split=split) for _ in range(2))
    obs = env.reset(seed=seed)
    other.reset(seed=seed)
    while not obs.done:
        twin = env.branch()
        action = env.oracle_action()
        seen, obs, alone = twin.step(action), env.step(action), other.step(action)
        if not seen == obs == alone:
            return f"step {env.state.step_count}: branch and episode differ"
    return ""


def _oracle_leads(duty: str, tier: str, split: str, seed: int) -> str:
    totals = {
        name: _play(duty, tier, split, seed, name).total_reward
        for name in list_envs()[duty]["policies"]
    }
    best = max(totals, key=totals.__getitem__)
    return (
        ""
        if totals["oracle"] >= totals[best]
        else f"{best} {totals[best]:.2f}, oracle {totals['oracle']:.2f}"
    )


def _state_is_json(duty: str, tier: str, split: str, seed: int) -> str:
    env = make(duty, scenario=tier, split=split)
    env.reset(seed=seed)
    text = env.state.model_dump_json()
    return "" if json.loads(text)["scenario"] == tier else f"state says {text[:80]}"
