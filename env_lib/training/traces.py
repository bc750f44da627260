"""SFT traces: what the oracle and an honest rule did, filtered to steps that earned."""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from env_lib.core import Environment
from env_lib.registry import duty_module, list_envs, make
from env_lib.rollout import Policy
from env_lib.runs import Run, read_jsonl, write_json, write_jsonl

EPISODES = 6
"""Train-split episodes a tier and teacher."""


def episode_traces(env: Environment, teacher: Policy, seed: int) -> Iterator[dict[str, Any]]:
    """Yield one row a step that earned, after those of `PREPARES` that led to it."""
    prepares = duty_module(env.duty, "policies").PREPARES
    obs = env.reset(seed=seed)
    teacher.start(env, seed)
    waiting: list[dict[str, Any]] = []
    while not obs.done:
        prompt, action = obs.prompt, teacher(obs)
        obs = env.step(action)
        row = {"prompt": prompt, "completion": action.text(), "action_type": action.action_type}
        if action.action_type in prepares:
            waiting.append(row)
            continue
        assert obs.reward is not None
        earned = obs.reward - obs.metadata["reward_components"].get("terminal", 0.0) > 0
        if earned:
            yield from (*waiting, row)
        waiting.clear()


def balanced(rows: list[dict[str, Any]], count: int, rng: random.Random) -> list[dict[str, Any]]:
    """Draw `count` rows, action types in proportion to the root of their number."""
    groups: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rng.sample(rows, len(rows)):
        groups[row["action_type"]].append(row)
    total = sum(math.sqrt(len(group)) for group in groups.values())
    chosen: list[dict[str, Any]] = []
    rest: list[dict[str, Any]] = []
    for _, group in sorted(groups.items()):
        share = round(count * math.sqrt(len(group)) / total)
        chosen += group[:share]
        rest += group[share:]
    rng.shuffle(rest)
    return (chosen + rest)[:count]


def collect(run: Run) -> dict[str, Any]:
    """Write `data/sft.jsonl`; return counts by scenario and by action type.

    The traces follow from (duty, profile, seed) and the store.
    """
    scenarios = list_envs()[run.duty]["scenarios"]
    rng = random.Random(f"traces/{run.seed}")
    quota = math.ceil(run.profile.sft_examples / len(scenarios))
    rows: list[dict[str, Any]] = []
    for scenario in scenarios:
        env = make(run.duty, scenario=scenario, split="train", **run.profile.env_options)
        found = []
        for teacher in duty_module(run.duty, "policies").TEACHERS:
            for i in range(EPISODES):
                seed = 1000 * run.seed + i
                found += [
                    {"scenario": scenario, "seed": seed, "teacher": teacher.name, **row}
                    for row in episode_traces(env, teacher(), seed)
                ]
        rows += balanced(found, quota, rng)
    rng.shuffle(rows)
    rows = rows[: run.profile.sft_examples]
    with run.step("data", run.inputs("data", [], {"scenarios": scenarios})) as folder:
        write_jsonl(folder / "sft.jsonl", rows)
        counts = {key: _count(rows, key) for key in ("scenario", "teacher", "action_type")}
        write_json(folder / "counts.json", {"examples": len(rows), **counts})
    return {"examples": len(rows), **counts}


def _count(rows: list[dict[str, Any]], key: str) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        counts[row[key]] += 1
    return dict(sorted(counts.items()))


def traces(run: Run) -> list[dict[str, Any]]:
    """Read the traces that `collect` wrote."""
    return read_jsonl(run.path("data", "sft.jsonl"))
