"""A finished run made without a model: rules stand in for the language models, logs are drawn."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd

import env_lib
from env_lib.core import unit_noise
from env_lib.evaluation import action_pairs, evaluate, table_of, write_episodes
from env_lib.plots.publishing import write_csv
from env_lib.profiles import PROFILES
from env_lib.rollout import Episode
from env_lib.runs import Run, write_json


@dataclass(frozen=True)
class Cast:
    """Who plays what in a made run of a duty."""

    tiers: tuple[str, ...]
    splits: tuple[str, ...]
    stand_ins: Mapping[str, str]
    """Model -> the rule that plays for it."""
    rules: tuple[str, ...]
    exploits: tuple[str, ...]
    options: Mapping[str, int] = field(default_factory=dict)


CASTS = {
    "triage": Cast(
        tiers=("E0", "E1", "E3"),
        splits=("test",),
        stand_ins={"base_few_shot": "random", "sft": "keyword_triager", "grpo": "memory_aware"},
        rules=(
            "random", "label_everything", "close_everything", "keyword_triager", "memory_aware",
            "oracle",
        ),
        exploits=("label_everything", "close_everything"),
        options={"steps": 16, "prompt_tokens": 112},
    ),
    "release": Cast(
        tiers=("L1", "L2"),
        splits=("test", "test_ood"),
        stand_ins={"base_few_shot": "random", "sft": "naive", "grpo": "careful"},
        rules=("random", "always_ship", "naive", "careful", "oracle"),
        exploits=("always_ship",),
    ),
}  # fmt: skip
TIERS = CASTS["triage"].tiers


def play(
    duty: str, name: str, tier: str, split: str, seed: int, policy: str, shift: int = 0
) -> Episode:
    """One episode of a rule under the name of the policy that it stands in for."""
    cast = CASTS[duty]
    env = env_lib.make(duty, scenario=tier, split=split, **cast.options)
    rule = env_lib.policy(duty, name)
    episode = env_lib.run_episode(env, rule, seed)
    if shift and policy == "grpo":  # a training seed of its own: one step short of the rule
        episode.steps[shift] = replace(
            episode.steps[shift], reward=episode.steps[shift].reward - 0.5
        )
    episode.policy = policy
    if policy in cast.stand_ins:
        sure = [0.5 + 0.5 * unit_noise(policy, tier, seed, i) for i in range(len(episode.steps))]
        episode.steps = [replace(s, confidence=c) for s, c in zip(episode.steps, sure, strict=True)]
    return episode


SHARES = {"valid_share": 0.0, "truncated_share": 1.0, "n": 24}


def write_logs(run: Run) -> None:
    """Logs with the names that the training writes."""
    rng = random.Random(run.seed)
    sft = [
        {
            "step": i,
            "loss": 2.5 * 0.93**i + 0.1 * rng.random(),
            "learning_rate": 4e-4 * (1 - i / 40),
            "grad_norm": 1 + rng.random(),
        }
        for i in range(40)
    ]
    grpo = [
        {
            "step": i, "round": i // 8, "reward": 0.02 * i + 0.3 * rng.random(),
            "reward_std": 0.4 + 0.1 * rng.random(), "kl": 0.002 * i, "entropy": 0.8 - 0.01 * i,
            "grad_norm": rng.random(), "clipped_share": 0.02,
            "terminated_length": 24 + rng.random(),
            "zero_variance_share": 0.3, "valid_share": 0.97, "loss": 0.01, "learning_rate": 3e-5,
            "reward/action_match": 0.01 * i, "reward/spam_resistance": -0.3 + 0.01 * i,
            "reward/terminal": 0.0, "reward/look_ahead": 0.2 + 0.2 * rng.random(),
        }
        for i in range(32)
    ]  # fmt: skip
    curriculum = [
        {
            "round": r, "scenario": tier, "unlocked": k <= r, "normalised": 0.2 + 0.2 * (r - k),
            "weight": max(0.1, 1 - abs(r - k) * 0.5) if k <= r else 0.0,
            "lower_bound": 0.1 + 0.2 * (r - k) if k <= r else float("nan"),
        }
        for r in range(4) for k, tier in enumerate(CASTS[run.duty].tiers)
    ]  # fmt: skip
    for place, rows in (("sft/log", sft), ("grpo/log", grpo), ("grpo/curriculum", curriculum)):
        write_csv(run.folder / f"{place}.csv", pd.DataFrame(rows))


def write_evaluation(run: Run, episodes_a_tier: int) -> None:
    """Episodes and the tables that the evaluation leaves."""
    cast = CASTS[run.duty]
    names = {name: name for name in cast.rules} | cast.stand_ins
    episodes = []
    for policy, name in names.items():
        for tier in cast.tiers:
            some = [
                play(run.duty, name, tier, split, seed, policy, shift=run.seed)
                for split in cast.splits
                for seed in range(episodes_a_tier)
            ]
            write_episodes(run.path("eval", "episodes", f"{policy}__{tier}.jsonl"), some)
            episodes += some
    write_csv(run.path("eval", "table.csv"), table_of(episodes))
    models = [e for e in episodes if e.policy in cast.stand_ins]
    write_csv(run.path("eval", "pairs.csv"), pd.DataFrame(action_pairs(models)))
    pairs = [
        ("sft", "base_few_shot"),
        ("grpo", "sft"),
        ("grpo", cast.rules[-3]),
        ("grpo", "random"),
    ]
    write_csv(run.path("eval", "differences.csv"), pd.DataFrame(pairs, columns=["a", "b"]))
    audit = evaluate(run.duty, cast.rules, scenario=cast.tiers, seeds=range(2), **cast.options)
    exploits = audit["policy"].isin(cast.exploits)
    write_csv(run.path("eval", "audit.csv"), audit.assign(exploit=exploits))


def made_run(folder: Path, seed: int = 0, episodes_a_tier: int = 3, duty: str = "triage") -> Run:
    """A run as notebooks 01 to 04 leave it."""
    run = Run(duty, PROFILES["smoke"], seed, folder)
    run.folder.mkdir(parents=True, exist_ok=True)
    write_logs(run)
    write_evaluation(run, episodes_a_tier)
    metrics = {
        "sft": {"before": SHARES, "after": {"valid_share": 1.0, "truncated_share": 0.0, "n": 24}},
        "grpo": {
            "steps": 32,
            "reward_first_third": 0.2,
            "reward_last_third": 0.6,
            "kept_round": 1,
            "val_return": {"0": 1.5, "1": 2.5, "2": 2.0},
        },
    }
    for step in ("data", "sft", "grpo", "eval"):
        with run.step(step, {}) as where:
            write_json(where / "metrics.json", metrics.get(step, {"step": step}))
    gate = {"G": 8, "ok": True, "reasons": [], "success_rate": 0.4}
    write_json(run.path("grpo", "preflight.json"), gate)
    return run
