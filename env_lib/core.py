"""The contract that every duty keeps: actions, observations, state, scenarios, environments.

Names, fields and semantics follow OpenEnv (`reset`, `step`, `state`, `reward`, `done`, `metadata`)
as plain pydantic models, so that this module needs pydantic and the standard library alone.
"""

from __future__ import annotations

import copy
import hashlib
import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar, Self

from pydantic import BaseModel, ConfigDict, Field


class StopReason(StrEnum):
    """Why an episode ended; `RUNNING` while it has not."""

    RUNNING = "running"
    COMPLETED = "completed"
    BUDGET = "budget"


class Action(BaseModel):
    """What an agent does in one step. A duty adds its fields and says which a type needs.

    `needs` maps each action type to the fields that it must have; `purpose` holds half a line
    a type for the system prompt. Fields of no use to a type must stay empty.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)
    needs: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    purpose: ClassVar[Mapping[str, str]] = {}
    optional: ClassVar[tuple[str, ...]] = ()

    action_type: str

    def text(self) -> str:
        """Return the canonical JSON of the action, the form that a language model is taught."""
        return json.dumps(self.model_dump(exclude_none=True))


class InvalidAction(Action):
    """What takes the place of a text that is not an action: it costs, and it is answered."""

    action_type: str = "invalid"
    raw: str
    error: str


class Observation(BaseModel):
    """What an agent sees. `prompt` is the whole text that a policy needs now.

    `reward` is the reward of the step just made (None after `reset`); `metadata` holds
    `reward_components`, `stop_reason` and, on the last step, `held_out`.
    """

    model_config = ConfigDict(extra="forbid")

    prompt: str
    reward: float | None = None
    done: bool = False
    metadata: dict[str, Any] = Field(default_factory=dict)


class State(BaseModel):
    """The JSON-ready state of an episode, hidden parts excluded."""

    model_config = ConfigDict(extra="allow")

    episode_id: str | None = None
    step_count: int = 0
    duty: str = ""
    scenario: str = ""
    split: str = ""
    seed: int = 0
    stop_reason: StopReason = StopReason.RUNNING


@dataclass(frozen=True)
class Scenario:
    """One named difficulty of a duty."""

    name: str
    """Short name, as in `make(duty, scenario=name)`."""
    title: str
    """Two or three words for figures."""
    steps: int
    """The step budget of an episode."""


class Environment(ABC):
    """A running duty. Subclasses implement `reset`, `step`, `state`, `oracle_action`, `held_out`.

    Everything follows from (duty, scenario, split, seed, options) and the actions. `reset` sets
    `_seed`, `_episode_id`, `_steps`, `_budget`, `_stop` and `_started`, which the helpers read.
    """

    duty: ClassVar[str]
    action_type: ClassVar[type[Action]]
    observation_type: ClassVar[type[Observation]]
    system_prompt: str
    tier: Scenario
    split: str
    _started = False
    _stop = StopReason.RUNNING
    _seed: int
    _episode_id: str | None
    _steps: int
    _budget: int

    @abstractmethod
    def reset(self, seed: int = 0, episode_id: str | None = None) -> Observation:
        """Start the episode that `seed` fixes and return its first observation."""

    @abstractmethod
    def step(self, action: Action) -> Observation:
        """Make one step. An action that cannot be carried out is answered, never raised.

        Raises:
            RuntimeError: the episode has not begun or is over.
        """

    @property
    @abstractmethod
    def state(self) -> State:
        """The public state."""

    @abstractmethod
    def oracle_action(self) -> Action:
        """Return the best action by the hidden truth: for the oracle and for SFT traces alone."""

    def truth_source(self) -> str:
        """Return where the truth of `oracle_action` comes from, "" where there is one source."""
        return ""

    @abstractmethod
    def held_out(self) -> dict[str, float]:
        """Return the metrics that judge an episode and are never trained on."""

    def branch(self) -> Self:
        """Return an independent copy of the running episode."""
        return copy.deepcopy(self)

    def _check_running(self) -> None:
        """Raise RuntimeError, with what to call, where no step can be made."""
        if not self._started:
            raise RuntimeError("step before reset; call reset(seed=...) first")
        if self._stop is not StopReason.RUNNING:
            raise RuntimeError(
                f"the episode is over ({self._stop}); call reset(seed=...) to start another"
            )

    def _state_with(self, **own: Any) -> State:
        """Return the state that every duty shows, with the duty's own fields."""
        return State(
            episode_id=self._episode_id, step_count=self._steps, duty=self.duty,
            scenario=self.tier.name, split=self.split, seed=self._seed, stop_reason=self._stop,
            budget=self._budget, **own,
        )  # fmt: skip

    def parse(self, text: str) -> Action:
        """Turn a text into an action, or into an `InvalidAction` that says what was wrong."""
        from env_lib.language import parse_action

        return parse_action(text, self.action_type)


def stable_hash(value: Any) -> str:
    """Return the sha256 of a JSON value in canonical form (sorted keys, no spaces)."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def unit_noise(*key: object) -> float:
    """Return a number in [0, 1) that depends on the key alone: noise that holds no state."""
    digest = hashlib.blake2b(repr(key).encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") / 2**64
