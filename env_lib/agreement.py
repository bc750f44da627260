"""Decisions beside the truth: inputs of the confusion matrix and of the calibration figure.

A step that only prepares (`PREPARES` of the duty's policies: a look, a query) is no decision. An
oracle that need not look decides at once, beside which every look would count as wrong, so such
steps are left out of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from env_lib.core import Action, InvalidAction
from env_lib.registry import duty_module, make
from env_lib.rollout import Episode


def agrees(action: Action, truth: Action) -> bool:
    """Whether two actions are of one type with the same needed fields."""
    kind = truth.action_type
    same = action.action_type == kind
    return same and all(getattr(action, name) == getattr(truth, name) for name in truth.needs[kind])


def action_pairs(episodes: Sequence[Episode]) -> list[dict[str, Any]]:
    """Replay episodes and put each decision beside the oracle's action at the same moment.

    Steps whose action type is one of the duty's `PREPARES` are played and give no row.

    Returns:
        one row a step: policy, scenario, seed, step, action, truth (types), source (of the truth,
        `Environment.truth_source`), right, confidence, reward (of the step).
    """
    rows: list[dict[str, Any]] = []
    for episode in episodes:
        options = episode.options
        env = make(episode.duty, scenario=episode.scenario, split=episode.split, **options)
        env.reset(seed=episode.seed)
        prepares = duty_module(episode.duty, "policies").PREPARES
        for number, step in enumerate(episode.steps):
            kind = InvalidAction if step.action["action_type"] == "invalid" else env.action_type
            action = kind.model_validate(step.action)
            if action.action_type not in prepares:
                truth = env.oracle_action()
                rows.append(
                    {
                        "policy": episode.policy, "scenario": episode.scenario,
                        "seed": episode.seed, "step": number, "action": action.action_type,
                        "truth": truth.action_type, "source": env.truth_source(),
                        "right": agrees(action, truth), "confidence": step.confidence,
                        "reward": step.reward,
                    }
                )  # fmt: skip
            env.step(action)
    return rows


def ece(confidences: Sequence[float], right: Sequence[bool], bins: int = 10) -> float:
    """Return the expected calibration error over equal-width bins of confidence.

    Raises:
        ValueError: nothing to judge, lengths that differ, or a confidence outside [0, 1].
    """
    import numpy as np

    chance, hit = np.asarray(confidences, dtype=float), np.asarray(right, dtype=float)
    if not len(chance) or chance.shape != hit.shape or not ((chance >= 0) & (chance <= 1)).all():
        raise ValueError(
            f"{len(chance)} confidences for {len(hit)} answers; "
            "as many of each, in [0, 1], are needed"
        )
    place = np.minimum((chance * bins).astype(int), bins - 1)
    gaps = [abs(hit[place == b].sum() - chance[place == b].sum()) for b in range(bins)]
    return float(sum(gaps) / len(chance))
