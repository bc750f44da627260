"""Actions beside the truth: inputs of the confusion matrix and of the calibration figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from env_lib.core import Action, InvalidAction
from env_lib.registry import make
from env_lib.rollout import Episode


def agrees(action: Action, truth: Action) -> bool:
    """Whether two actions are of one type with the same needed fields."""
    kind = truth.action_type
    same = action.action_type == kind
    return same and all(getattr(action, name) == getattr(truth, name) for name in truth.needs[kind])


def action_pairs(episodes: Sequence[Episode]) -> list[dict[str, Any]]:
    """Replay episodes and put each action beside the oracle's at the same moment.

    Returns:
        one row a step: policy, scenario, seed, step, action, truth (types), right, confidence.
    """
    rows: list[dict[str, Any]] = []
    for episode in episodes:
        options = episode.options
        env = make(episode.duty, scenario=episode.scenario, split=episode.split, **options)
        env.reset(seed=episode.seed)
        for number, step in enumerate(episode.steps):
            kind = InvalidAction if step.action["action_type"] == "invalid" else env.action_type
            action, truth = kind.model_validate(step.action), env.oracle_action()
            rows.append(
                {
                    "policy": episode.policy, "scenario": episode.scenario, "seed": episode.seed,
                    "step": number, "action": action.action_type, "truth": truth.action_type,
                    "right": agrees(action, truth), "confidence": step.confidence,
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
