"""What a sampled answer earns: the reward functions that TRL's trainer calls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from env_lib import models
from env_lib.core import unit_noise
from env_lib.runs import Run
from env_lib.training.states import Score, score_answers

TRUNCATED = -0.5
"""Added for an answer that does not end: termination is part of the task."""


def flat_share(states: Sequence[int], rewards: Sequence[float]) -> float:
    """Return the share of states whose answers all earned the same: they teach nothing.

    TRL's own count asks the deviation that it scales by, which under "batch" is never a group's.
    """
    spread: dict[int, set[float]] = defaultdict(set)
    for state, reward in zip(states, rewards, strict=True):
        spread[state].add(round(reward, 6))
    return sum(len(seen) == 1 for seen in spread.values()) / len(spread)


class BranchRewards:
    """TRL reward functions that score each sampled answer once, in a branch of its state."""

    def __init__(
        self, run: Run, states: list[Any], tokenizer: Any, key: str = "", model: Any = None
    ) -> None:
        """Hold the states that `state_id` counts; `key` names the round.

        `model` is the one in training: it makes the decision that a sampled answer puts off.
        """
        self.run, self.states, self.tokenizer, self.key = run, states, tokenizer, key
        self.model = model
        self.stops = set(models.stop_ids(tokenizer))
        self.log: list[dict[str, float]] = []
        self._scores: list[Score] = []

    def step_reward(
        self, prompts: Any, completions: Any, completion_ids: Any, state_id: Any, **_: Any
    ) -> list[float]:
        """What the environment pays for the step."""
        texts = [
            self.tokenizer.decode([t for t in ids if t not in self.stops]) for ids in completion_ids
        ]
        p = self.run.profile
        training = self.model is not None and self.model.training
        self._scores = score_answers(
            [(self.states[i][0], text) for i, text in zip(state_id, texts, strict=True)],
            look_ahead=p.look_ahead,
            gamma=p.gamma,
            writer=self._writer(),
        )
        if training:
            self.model.train()
        means: dict[str, float] = defaultdict(float)
        for score in self._scores:
            means["valid_share"] += score.valid / len(texts)
            means["carried_out_share"] += score.carried_out / len(texts)
            means["reward/look_ahead"] += score.look_ahead / len(texts)
            for name, value in score.components.items():
                means[f"reward/{name}"] += value / len(texts)
        self.log.append(dict(means))
        if p.grpo_reward == "random":
            call = (self.run.seed, self.key, len(self.log))
            rewards = [float(unit_noise(*call, i) < 0.5) for i in range(len(texts))]
        else:
            rewards = [score.step_reward for score in self._scores]
        later = self.look_ahead(prompts, completions)
        ends = self.termination(prompts, completions, completion_ids)
        sums = [sum(parts) for parts in zip(rewards, later, ends, strict=True)]
        self.log[-1]["zero_variance_share"] = flat_share(state_id, sums)
        return rewards

    def _writer(self) -> Any:
        """Return the model as it is now; None where there is none."""
        from env_lib.policy_model import ModelPolicy

        if self.model is None:
            return None
        return ModelPolicy(self.model, self.tokenizer, max_tokens=self.run.action_tokens)

    def look_ahead(self, prompts: Any, completions: Any, **_: Any) -> list[float]:
        """What the next steps pay under the cheap policy, discounted; 0 in the random control."""
        if self.run.profile.grpo_reward == "random":
            return [0.0] * len(self._scores)
        return [score.look_ahead for score in self._scores]

    def termination(
        self, prompts: Any, completions: Any, completion_ids: Any, **_: Any
    ) -> list[float]:
        """`TRUNCATED` for an answer that does not end."""
        return [0.0 if set(ids) & self.stops else TRUNCATED for ids in completion_ids]
