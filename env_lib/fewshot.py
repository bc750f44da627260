"""The examples that the base model is shown: the best of a few sets, chosen on validation tasks."""

from __future__ import annotations

from collections import Counter
from typing import Any

from env_lib.registry import list_envs, make
from env_lib.runs import Run
from env_lib.training.traces import traces

Shots = tuple[tuple[str, str], ...]
"""Solved examples: (prompt, completion)."""
CANDIDATES = 3
"""Sets that are compared."""
SEED = 8500
"""Seed of the first validation task of a scenario."""
TASKS = 2
"""Validation tasks a scenario, of which the first step is judged."""


def candidates(run: Run) -> list[Shots]:
    """Return the sets: one trace a kind of action, the most frequent kinds first.

    The n-th set holds the n-th trace of each kind, or its last where there are fewer.
    """
    rows = traces(run)
    kinds = [kind for kind, _ in Counter(row["action_type"] for row in rows).most_common()]
    by_kind = [[row for row in rows if row["action_type"] == kind] for kind in kinds]
    sets = [
        tuple(
            (own[min(n, len(own) - 1)]["prompt"], own[min(n, len(own) - 1)]["completion"])
            for own in by_kind[: run.profile.few_shot]
        )
        for n in range(CANDIDATES)
    ]
    return list(dict.fromkeys(sets))


def best_shots(run: Run, model: Any, tokenizer: Any) -> tuple[Shots, list[float]]:
    """Return the set whose first answers earn most, of equals the first, and what each earned.

    Earned is the mean reward of the first step of validation tasks.
    """
    from env_lib.policy_model import ModelPolicy

    sets = candidates(run)
    tasks = [
        (scenario, SEED + n)
        for scenario in list_envs()[run.duty]["scenarios"]
        for n in range(TASKS)
    ]
    earned = []
    for shots in sets:
        writer = ModelPolicy(model, tokenizer, max_tokens=run.action_tokens, shots=shots)
        envs = [make(run.duty, scenario=s, split="val", **run.env_options) for s, _ in tasks]
        prompts = [env.reset(seed=seed).prompt for env, (_, seed) in zip(envs, tasks, strict=True)]
        answers = writer.answer(envs[0].system_prompt, prompts)
        after = [env.step(env.parse(a.text)) for env, a in zip(envs, answers, strict=True)]
        earned.append(sum(obs.reward or 0.0 for obs in after) / len(after))
    return sets[earned.index(max(earned))], earned
