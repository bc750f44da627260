"""SFT traces: what a duty's teachers did, filtered to steps that earned.

Where the duty's `policies` name an `ORACLE_SHARE`, so many of the traces show what the oracle would
have done instead: moves that no teacher makes stay in reach of practice. Where they name `PATIENT`
moves, these are kept after a step that prepared them: a question whose answer is to leave things
alone is a lesson too, and a model that never saw one asks again. Of the moves that they call `EASY`
there are fewer.

A teacher that never errs never shows how to go on after an error, and a model that errs repeats it
until its steps end. Where the policies name a `STRAY` policy, it makes a share of the steps in the
teacher's stead; they are no traces, what the teacher does next is. This is the noise that DART
injects into demonstrations [laskey2017dart].
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from env_lib.core import Environment, Observation
from env_lib.registry import duty_module, list_envs, make
from env_lib.rollout import Oracle, Policy
from env_lib.runs import Run, read_jsonl, write_json, write_jsonl

Lesson = list[dict[str, Any]]
"""Rows that follow each other. They stay side by side, so that a batch mostly holds the same text
before and after the model hears what decides about it."""
Taken = Callable[[Environment, Policy, int], Iterator[Lesson]]
"""What is taken from an episode of a teacher: `lessons` or `corrections`."""
EPISODES = 6
"""Train-split episodes a tier and teacher, at least."""
SURPLUS = 3
"""Episodes are played until so many times the wanted rows are there to choose from."""
MOST = 200
"""Episodes a tier and teacher, at most."""
STRAYS = 0.2
"""Share of the steps that the `STRAY` policy of a duty makes, where it names no `STRAY_SHARE`."""
FEWER = 4
"""So many times fewer lessons show an easy move than would else."""


def lessons(env: Environment, teacher: Policy, seed: int) -> Iterator[Lesson]:
    """Yield one lesson a step that earned: the steps of `PREPARES` that led to it, then it."""
    rules = duty_module(env.duty, "policies")
    prepares, patient = rules.PREPARES, getattr(rules, "PATIENT", ())
    obs = env.reset(seed=seed)
    teacher.start(env, seed)
    stray = rules.STRAY() if hasattr(rules, "STRAY") else None
    if stray is not None:
        stray.start(env, seed)
    rng = random.Random(f"strays/{env.duty}/{seed}")
    share = getattr(rules, "STRAY_SHARE", STRAYS)
    lesson: Lesson = []
    while not obs.done:
        if stray is not None and rng.random() < share:
            obs = env.step(stray(obs))
            continue
        prompt, action = obs.prompt, teacher(obs)
        obs = env.step(action)
        row = {"prompt": prompt, "completion": action.text(), "action_type": action.action_type}
        lesson.append(row)
        if action.action_type in prepares:
            continue
        if _earned(obs) > 0 or (len(lesson) > 1 and action.action_type in patient):
            yield lesson
        lesson = []


def corrections(env: Environment, teacher: Policy, seed: int) -> Iterator[Lesson]:
    """Yield the oracle's steps that earn where the teacher, whose episode it is, acts otherwise."""
    prepares = duty_module(env.duty, "policies").PREPARES
    obs = env.reset(seed=seed)
    teacher.start(env, seed)
    while not obs.done:
        action, best, twin = teacher(obs), env.oracle_action(), env.branch()
        if best != action and best.action_type not in prepares and _earned(twin.step(best)) > 0:
            kind = best.action_type
            yield [{"prompt": obs.prompt, "completion": best.text(), "action_type": kind}]
        obs = env.step(action)


def _earned(obs: Observation) -> float:
    """Return what a step paid, the end of the episode left out."""
    assert obs.reward is not None
    return obs.reward - float(obs.metadata["reward_components"].get("terminal", 0.0))


def balanced(
    found: list[Lesson], count: int, rng: random.Random, easy: Sequence[str] = ()
) -> list[Lesson]:
    """Draw lessons of `count` rows in all; types of last steps weigh by the root of their number.

    Types in `easy` weigh a quarter of that. The last lesson loses its first rows where it holds
    more than is left.
    """
    groups: dict[str, list[Lesson]] = defaultdict(list)
    for lesson in rng.sample(found, len(found)):
        groups[lesson[-1]["action_type"]].append(lesson)
    weights = {
        kind: math.sqrt(len(group)) / (FEWER if kind in easy else 1)
        for kind, group in groups.items()
    }
    total = sum(weights.values())
    chosen: list[Lesson] = []
    rest: list[Lesson] = []
    for kind, group in sorted(groups.items()):
        share, rows = count * weights[kind] / total, 0
        for lesson in group:
            (chosen if rows < share else rest).append(lesson)
            rows += len(lesson)
    drawn: list[Lesson] = []
    rng.shuffle(chosen)
    rng.shuffle(rest)
    for lesson in (*chosen, *rest):
        if count > 0:
            drawn.append(lesson[-count:])
            count -= len(lesson)
    return drawn


def collect(run: Run) -> dict[str, Any]:
    """Write `data/sft.jsonl`; return counts by scenario and by action type.

    The traces follow from (duty, profile, seed) and the store.
    """
    scenarios = list_envs()[run.duty]["scenarios"]
    rng = random.Random(f"traces/{run.seed}")
    examples = run.sft_examples
    corrected = int(examples * getattr(duty_module(run.duty, "policies"), "ORACLE_SHARE", 0.0))
    rows = _drawn(run, scenarios, examples - corrected, lessons, rng)
    extra = _drawn(run, scenarios, corrected, corrections, rng)
    short = int(examples * run.profile.sft_short)  # shows too little of a prompt to correct
    for row in extra:
        rows.insert(rng.randint(min(short, len(rows)), len(rows)), row)
    with run.step("data", run.inputs("data", [], {"scenarios": scenarios})) as folder:
        write_jsonl(folder / "sft.jsonl", rows)
        counts = {key: _count(rows, key) for key in ("scenario", "teacher", "action_type")}
        write_json(folder / "counts.json", {"examples": len(rows), **counts})
    return {"examples": len(rows), **counts}


def _drawn(
    run: Run, scenarios: Sequence[str], count: int, taken: Taken, rng: random.Random
) -> list[dict[str, Any]]:
    """Return `count` rows at most, as many of each tier, lessons whole and shuffled."""
    quota = math.ceil(count / len(scenarios))
    easy = getattr(duty_module(run.duty, "policies"), "EASY", ())
    drawn: list[Lesson] = []
    for scenario in scenarios if count else ():
        env = make(run.duty, scenario=scenario, split="train", **run.env_options)
        drawn += balanced(_found(run, env, SURPLUS * quota, taken), quota, rng, easy)
    rng.shuffle(drawn)
    return [row for lesson in drawn for row in lesson][:count]


def _found(run: Run, env: Environment, wanted: int, taken: Taken) -> list[Lesson]:
    """Return the lessons of a tier: the teachers play the same episodes until there are enough."""
    found: list[Lesson] = []
    for i in range(MOST):
        seed = 1000 * run.seed + i
        for teacher in duty_module(run.duty, "policies").TEACHERS:
            who = teacher.name if taken is lessons else Oracle.name
            head = {"scenario": env.tier.name, "seed": seed, "teacher": who}
            found += [[head | row for row in few] for few in taken(env, teacher(), seed)]
        if i + 1 >= EPISODES and sum(map(len, found)) >= wanted:
            break
    return found


def _count(rows: list[dict[str, Any]], key: str) -> dict[str, int]:
    counts: dict[str, int] = defaultdict(int)
    for row in rows:
        counts[row[key]] += 1
    return dict(sorted(counts.items()))


def traces(run: Run) -> list[dict[str, Any]]:
    """Read the traces that `collect` wrote."""
    return read_jsonl(run.path("data", "sft.jsonl"))
