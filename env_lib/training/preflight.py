"""The gate before GRPO: measured on the SFT model, it picks G or refuses with a reason.

Valid and successful answers are counted over few (`states` times `SAMPLES`), so that their limits
are missed only where the exact interval lies beyond them; answers of one state are taken as
independent. Truncated ones are held to the limit as counted. An answer that is an action and that
the environment refuses is valid: that such answers cost is what practice can teach.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from env_lib import models
from env_lib.intervals import exact_share
from env_lib.registry import duty_module
from env_lib.runs import Run
from env_lib.training.states import choose, score_answers, visit_episodes

GROUPS = (4, 8, 16)
SAMPLES = 8
"""Sampled answers a state."""
SUCCESS = 0.5
"""An answer succeeds where its step pays at least this much, or the duty's `SUCCESS`."""
MAX_ZERO_VARIANCE = 0.5


def zero_variance_share(rewards: Sequence[Sequence[float]], group: int) -> float:
    """Return the expected share of groups whose rewards are all equal.

    `rewards` holds the sampled rewards of each state. With shares p_r of the distinct rewards of a
    state it is the mean over states of the sum of p_r^G: for two outcomes, p^G + (1-p)^G.
    """
    flat = [
        sum((n / len(state)) ** group for n in Counter(round(r, 6) for r in state).values())
        for state in rewards
    ]
    return sum(flat) / len(flat)


def choose_group(rewards: Sequence[Sequence[float]], default: int) -> int:
    """Return the default G if few groups would be flat, else the smallest of GROUPS that does."""
    for group in (default, *GROUPS):
        if group >= default and zero_variance_share(rewards, group) <= MAX_ZERO_VARIANCE:
            return group
    return max(default, GROUPS[-1] if default < GROUPS[-1] else default)


def measure(run: Run, model: Any, tokenizer: Any, scenarios: Sequence[str]) -> dict[str, Any]:
    """Sample answers on states chosen as training chooses them; return what the gate looks at."""
    from env_lib.generation import sample
    from env_lib.policy_model import ModelPolicy

    p = run.profile
    writer = ModelPolicy(model, tokenizer, max_tokens=run.action_tokens)
    visits = visit_episodes(run, writer, list(scenarios) * p.gate_visits, "preflight")
    wanted = sum(len(v.states) for v in visits) // p.grpo_surplus
    states = choose(visits, wanted, p.grpo_guard, random.Random("preflight"))
    system = states[0][0].system_prompt
    rows = [writer.token_ids(system, prompt) for _, prompt in states]
    stops = models.stop_ids(tokenizer)
    drawn = []
    for i in range(0, len(rows), p.grpo_prompts):
        drawn += sample(
            model,
            rows[i : i + p.grpo_prompts],
            stops=stops,
            max_tokens=run.action_tokens,
            repeats=SAMPLES,
            temperature=p.grpo_temperature,
        )
    answers = [(states[i // SAMPLES][0], writer.text(s.ids)) for i, s in enumerate(drawn)]
    scores = score_answers(answers, look_ahead=0, gamma=1.0)
    enough = getattr(duty_module(run.duty, "policies"), "SUCCESS", SUCCESS)
    wins = [score.step_reward >= enough for score in scores]
    success = [sum(wins[i : i + SAMPLES]) / SAMPLES for i in range(0, len(wins), SAMPLES)]
    return {
        "truncated_share": sum(s.truncated for s in drawn) / len(drawn),
        "valid_share": sum(s.valid for s in scores) / len(scores),
        "carried_out_share": sum(s.carried_out for s in scores) / len(scores),
        "success_rate": sum(success) / len(success),
        "states": len(states),
        "success_by_state": success,
        "rewards_by_state": [
            [s.step_reward for s in scores[i : i + SAMPLES]] for i in range(0, len(scores), SAMPLES)
        ],
        "visits": [[visit.scenario, visit.normalised] for visit in visits],
    }


def judge(run: Run, found: dict[str, Any]) -> dict[str, Any]:
    """Hold the measures against the profile's limits; add G, `ok`, and the reasons of a refusal."""
    p = run.profile
    group = choose_group(found["rewards_by_state"], p.grpo_group)
    flat = zero_variance_share(found["rewards_by_state"], group)
    limits = (
        (
            "truncated_share",
            found["truncated_share"],
            0.0,
            p.gate_truncated,
            "raise max_action_tokens or train SFT on",
        ),
        ("valid_share", found["valid_share"], p.gate_valid, 1.0, "train SFT on more examples"),
        (
            "success_rate",
            found["success_rate"],
            p.gate_success,
            1.0 - p.gate_success,
            "choose other scenarios",
        ),
        (
            "zero_variance_share",
            flat,
            0.0,
            p.gate_flat,
            "use a larger G or states nearer to 50 % success",
        ),
    )
    count = found["states"] * SAMPLES
    rows, reasons = [], []
    for name, value, low, high, advice in limits:
        least, most = value, value
        if name in ("valid_share", "success_rate"):
            least, most = exact_share(round(value * count), count)[1:]
        ok = least <= high and most >= low
        told = {"low": round(least, 4), "high": round(most, 4), "wanted": f"{low:g} to {high:g}"}
        rows.append({"measure": name, "value": round(value, 4), **told, "ok": ok})
        if not ok:
            sure = f" [{least:.3f}, {most:.3f}]" if least < most else ""
            reasons.append(f"{name} is {value:.3f}{sure}, wanted {low:g} to {high:g}: {advice}")
    return {
        **found,
        "G": group,
        "zero_variance_share": flat,
        "rows": rows,
        "ok": not reasons,
        "reasons": reasons,
    }
