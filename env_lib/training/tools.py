"""Episode-level GRPO: a duty as tools for TRL's `environment_factory`.

For models whose chat template has tools (Qwen2.5, not SmolLM2). One tool, `act`, takes the same
JSON object as everywhere; TRL pools the instances, so `reset` clears everything. The trainer's
`max_completion_length` is the budget of the whole episode, the tool's answers included.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from env_lib.registry import make


class DutyTools:
    """One episode; `act` is the tool, `get_reward` the return so far."""

    def __init__(self, duty: str, options: dict[str, Any]) -> None:
        """Remember what to build; `reset` names the scenario and the seed."""
        self._duty, self._options = duty, options
        self._env: Any = None
        self._total, self._done = 0.0, True

    def reset(self, seed: int, scenario: str | None = None, **_: Any) -> str:
        """Start the episode of a dataset row and return the first observation."""
        self._env = make(self._duty, scenario=scenario, **self._options)
        obs = self._env.reset(seed=int(seed))
        self._total, self._done = 0.0, False
        return "\n" + str(obs.prompt)

    def act(self, action: str) -> str:
        """Make one move.

        Args:
            action: one JSON object with action_type and the fields that the type needs.
        """
        if self._done:
            return "The shift is over; answer without a tool call."
        obs = self._env.step(self._env.parse(action))
        self._total += obs.reward
        self._done = obs.done
        return str(obs.prompt)

    def get_reward(self) -> float:
        """Return the sum of the rewards so far."""
        return self._total


def tools_factory(duty: str, **options: Any) -> Callable[[], DutyTools]:
    """Return what `GRPOTrainer(environment_factory=...)` takes; rows hold `seed` and `scenario`."""
    return lambda: DutyTools(duty, dict(options))
