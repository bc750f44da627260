"""Policies, episodes, and how to run one or many."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from env_lib.core import Action, Environment, Observation, StopReason, stable_hash


class Policy(ABC):
    """Something that acts: `policy(obs) -> action`."""

    name = "policy"

    def start(self, env: Environment, seed: int) -> None:  # noqa: B027 - most policies need no start
        """Begin an episode. `env` is for the oracle alone; other policies read observations."""

    @abstractmethod
    def __call__(self, obs: Observation) -> Action:
        """Choose an action."""


class Oracle(Policy):
    """The best action by the hidden truth: the top of the scale, in every duty."""

    name = "oracle"

    def start(self, env: Environment, seed: int) -> None:
        """Keep the environment whose truth is asked."""
        self._env = env

    def __call__(self, obs: Observation) -> Action:
        """Return the truth."""
        return self._env.oracle_action()


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what was seen, what was done, what it earned."""

    prompt: str
    action: dict[str, Any]
    reward: float
    components: dict[str, float]
    text: str = ""
    confidence: float | None = None
    held_out: dict[str, Any] = field(default_factory=dict)


@dataclass
class Episode:
    """A finished episode; `trajectory_hash` covers prompts, actions and rewards."""

    duty: str
    scenario: str
    split: str
    seed: int
    policy: str
    options: dict[str, Any] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    stop_reason: StopReason = StopReason.RUNNING
    metrics: dict[str, float] = field(default_factory=dict)

    @property
    def total_reward(self) -> float:
        """The sum of the rewards."""
        return sum(step.reward for step in self.steps)

    @property
    def components(self) -> dict[str, float]:
        """The sum of each reward component."""
        totals: dict[str, float] = {}
        for step in self.steps:
            for name, value in step.components.items():
                totals[name] = totals.get(name, 0.0) + value
        return totals

    @property
    def trajectory_hash(self) -> str:
        """The sha256 of (prompt, action, reward) of every step."""
        return stable_hash([[step.prompt, step.action, step.reward] for step in self.steps])

    def record(self) -> dict[str, Any]:
        """Return the episode as one JSON object; `from_record` reads it back."""
        return {
            **{
                k: getattr(self, k)
                for k in ("duty", "scenario", "split", "seed", "policy", "options")
            },
            "stop_reason": str(self.stop_reason),
            "total_reward": self.total_reward,
            "trajectory_hash": self.trajectory_hash,
            "metrics": self.metrics,
            "steps": [{name: getattr(s, name) for name in Step.__slots__} for s in self.steps],
        }

    @classmethod
    def from_record(cls, row: dict[str, Any]) -> Episode:
        """Rebuild an episode from `record`'s JSON object."""
        known = {
            k: row[k] for k in ("duty", "scenario", "split", "seed", "policy", "options", "metrics")
        }
        steps = [Step(**step) for step in row["steps"]]
        return cls(**known, steps=steps, stop_reason=StopReason(row["stop_reason"]))

    def add(
        self,
        prompt: str,
        action: Action,
        obs: Observation,
        *,
        text: str = "",
        confidence: float | None = None,
    ) -> None:
        """Append the step that led to `obs`, and close the episode where it is done."""
        assert obs.reward is not None
        components = obs.metadata["reward_components"]
        done = action.model_dump(exclude_none=True)
        hidden = obs.metadata.get("judged", {})
        self.steps.append(Step(prompt, done, obs.reward, components, text, confidence, hidden))
        if obs.done:
            self.stop_reason = StopReason(obs.metadata["stop_reason"])
            self.metrics = dict(obs.metadata["held_out"])


def new_episode(env: Environment, policy: str, seed: int) -> Episode:
    """Return the empty record of an episode that is about to run in `env`."""
    state = env.state
    options = dict(getattr(env, "options", {}))
    return Episode(env.duty, state.scenario, state.split, seed, policy, options)


def run_episode(env: Environment, policy: Policy, seed: int = 0) -> Episode:
    """Play one episode to its end."""
    obs = env.reset(seed=seed)
    episode = new_episode(env, policy.name, seed)
    policy.start(env, seed)
    while not obs.done:
        prompt, action = obs.prompt, policy(obs)
        obs = env.step(action)
        episode.add(prompt, action, obs)
    return episode


def run_many(
    duty: str,
    name: str,
    *,
    scenario: str,
    split: str,
    seeds: Iterable[int],
    n_jobs: int = 1,
    **options: Any,
) -> list[Episode]:
    """Play one episode a seed with a fresh policy each, in `n_jobs` processes; order of seeds."""
    from joblib import Parallel, delayed

    tasks = [delayed(_play)(duty, name, scenario, split, seed, options) for seed in seeds]
    return list(Parallel(n_jobs=n_jobs)(tasks))


def _play(
    duty: str, name: str, scenario: str, split: str, seed: int, options: dict[str, Any]
) -> Episode:
    from env_lib.registry import make, policy

    return run_episode(
        make(duty, scenario=scenario, split=split, **options), policy(duty, name), seed
    )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a language model wrote for one prompt."""

    text: str
    confidence: float | None = None
    truncated: bool = False


class TextPolicy(ABC):
    """A policy that answers many observations at once in text (a language model)."""

    name = "text policy"

    @abstractmethod
    def answer(self, system_prompt: str, prompts: Sequence[str]) -> list[Answer]:
        """Return one answer a prompt, in order."""


def run_lockstep(
    envs: Sequence[Environment], policy: TextPolicy, seeds: Sequence[int]
) -> list[Episode]:
    """Play `envs[i]` with `seeds[i]` side by side, one batch of answers a step, until all end."""
    observations = [env.reset(seed=seed) for env, seed in zip(envs, seeds, strict=True)]
    episodes = [new_episode(env, policy.name, seed) for env, seed in zip(envs, seeds, strict=True)]
    live = list(range(len(envs)))
    while live:
        prompts = [observations[i].prompt for i in live]
        answers = policy.answer(envs[live[0]].system_prompt, prompts)
        for i, prompt, answer in zip(live, prompts, answers, strict=True):
            action = envs[i].parse(answer.text)
            observations[i] = envs[i].step(action)
            episodes[i].add(
                prompt, action, observations[i], text=answer.text, confidence=answer.confidence
            )
        live = [i for i in live if not observations[i].done]
    return episodes


def replay_episode(episode: Episode) -> Episode:
    """Play a stored episode again from its actions alone, in a fresh environment."""
    from env_lib.core import InvalidAction
    from env_lib.registry import make

    options = episode.options
    env = make(episode.duty, scenario=episode.scenario, split=episode.split, **options)
    obs = env.reset(seed=episode.seed)
    again = new_episode(env, episode.policy, episode.seed)
    for step in episode.steps:
        prompt = obs.prompt
        kind = InvalidAction if step.action["action_type"] == "invalid" else env.action_type
        action = kind.model_validate(step.action)
        obs = env.step(action)
        again.add(prompt, action, obs, text=step.text, confidence=step.confidence)
    return again
