"""States for GRPO: collected on-policy, scored in branches.

A state is a running episode just before the policy acts. A sampled answer is scored in its own
branch: the step's reward, and the discounted reward of the next few steps under a cheap policy.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from env_lib.core import Environment
from env_lib.registry import duty_module, make, policy
from env_lib.rollout import TextPolicy
from env_lib.runs import Run

WASTED = ("invalid_action", "repeat_action_penalty")
"""Components that mark a wasted step: what follows is not its merit."""
SEGMENT = 12
"""Steps that the policy itself makes in one visit to an episode. A shorter episode is its own from
the first step: a rule that walked to the states would never lead to those in which only the policy
gets stuck."""


@dataclass
class Visit:
    """A few on-policy steps in one episode: its states and its normalised score."""

    scenario: str
    states: list[tuple[Environment, str]]
    normalised: float
    confidence: list[float] = field(default_factory=list)
    """The model's confidence in its answer to each state, 0 to 1."""


@dataclass(frozen=True)
class Score:
    """What one sampled answer earned in its branch."""

    step_reward: float
    look_ahead: float
    components: dict[str, float]
    valid: bool
    """Whether it is an action; the environment may refuse it all the same, which costs."""
    carried_out: bool
    """Whether the environment did it."""


def cheap_policy(duty: str) -> str:
    """Return the name of the rule-based policy that walks to states and follows branches."""
    return str(duty_module(duty, "policies").LOOK_AHEAD)


def follow(env: Environment, obs: Any, name: str, steps: int, gamma: float = 1.0) -> float:
    """Return the discounted reward of up to `steps` steps under a rule-based policy."""
    guide = policy(env.duty, name)
    guide.start(env, 0)
    total, weight = 0.0, 1.0
    for _ in range(steps):
        if obs.done:
            break
        obs = env.step(guide(obs))
        total += weight * obs.reward
        weight *= gamma
    return total


class _Branch:
    """One sampled answer, made in a copy of its state, and what came of it."""

    def __init__(self, env: Environment, text: str, steps: int, gamma: float) -> None:
        self.env, self.left, self._gamma, self._weight = env.branch(), steps, gamma, gamma
        self.later = 0.0
        self._make(text)
        assert self.obs.reward is not None
        self.reward = self.obs.reward
        self.components: dict[str, float] = self.obs.metadata["reward_components"]
        self.valid = self.kind != "invalid"
        self.carried_out = self.valid and not getattr(self.obs, "error", "")

    def _make(self, text: str) -> None:
        action = self.env.parse(text)
        self.kind, self.obs = action.action_type, self.env.step(action)
        paid = self.obs.metadata["reward_components"]
        self.wasted = any(paid.get(name, 0.0) < 0 for name in WASTED)

    def undecided(self, prepares: Sequence[str]) -> bool:
        """Whether the last step only prepared one that decides."""
        return self.kind in prepares and not self.wasted and not self.obs.done and self.left > 0

    def go_on(self, text: str) -> None:
        """Make one more step of the model's own; what it pays is credited, discounted."""
        self._make(text)
        assert self.obs.reward is not None
        self.later += self._weight * self.obs.reward
        self._weight *= self._gamma
        self.left -= 1

    def play_on(self) -> None:
        """Let the cheap policy make the steps that are left, unless the last one was wasted."""
        if not self.wasted:
            guide = cheap_policy(self.env.duty)
            self.later += self._weight * follow(self.env, self.obs, guide, self.left, self._gamma)

    @property
    def earned(self) -> float:
        """What the answer and all that followed paid."""
        return self.reward + self.later

    def score(self, credit: float) -> Score:
        """Return what was earned; `credit` is added to what came later."""
        later = self.later + credit
        return Score(self.reward, later, self.components, self.valid, self.carried_out)


def score_answers(
    answers: Sequence[tuple[Environment, str]],
    *,
    look_ahead: int,
    gamma: float,
    writer: TextPolicy | None = None,
) -> list[Score]:
    """Score answers, each in a branch of its state, which stays as it is.

    Where an answer only prepares a decision (`PREPARES`), `writer` makes the decision. After a
    wasted step nobody plays on. It puts a decision off, and so it is credited, discounted, what the
    worst of the other answers to its state earns in all (0 where all were wasted). Both keep a
    policy from putting decisions off: the cheap policy would make them, better than the model does
    yet, and the look-ahead would pay for that (seen: every step a query after six updates).
    Equal answers to one state are scored once.
    """
    keys = [(id(env), text) for env, text in answers]
    distinct = {
        key: _Branch(env, text, look_ahead, gamma)
        for key, (env, text) in dict(zip(keys, answers, strict=True)).items()
    }
    branches = list(distinct.values())
    while writer is not None:
        waiting = [b for b in branches if b.undecided(_prepares(b.env.duty))]
        if not waiting:
            break
        prompts = [branch.obs.prompt for branch in waiting]
        found = writer.answer(waiting[0].env.system_prompt, prompts)
        for branch, answer in zip(waiting, found, strict=True):
            branch.go_on(answer.text)
    least: dict[int, float] = {}
    for (state, _), branch in distinct.items():
        branch.play_on()
        if not branch.wasted:
            least[state] = min(branch.earned, least.get(state, branch.earned))
    scores = {
        key: branch.score(gamma * least.get(key[0], 0.0) if branch.wasted else 0.0)
        for key, branch in distinct.items()
    }
    return [scores[key] for key in keys]


def _prepares(duty: str) -> Sequence[str]:
    return tuple(duty_module(duty, "policies").PREPARES)


def visit_episodes(
    run: Run, writer: TextPolicy, scenarios: Sequence[str], key: str, segment: int = SEGMENT
) -> list[Visit]:
    """Walk `segment` steps with `writer` in one train-split episode a scenario given, in lockstep.

    An episode of more steps is first played to a random point by the cheap policy. The visit's
    score is normalised by what `random` (0) and `oracle` (1) earn from the same point.
    """
    rng = random.Random(f"states/{run.duty}/{run.seed}/{key}")
    live: list[tuple[Environment, Any]] = []
    for scenario in scenarios:
        env = make(run.duty, scenario=scenario, split="train", **run.env_options)
        obs = env.reset(seed=rng.randrange(10**6))
        budget = obs.budget  # type: ignore[attr-defined]
        skip = rng.randrange(int(0.6 * budget)) if budget > segment else 0
        guide = policy(run.duty, cheap_policy(run.duty))
        guide.start(env, 0)
        for _ in range(skip):
            ahead = env.branch().step(guide(obs))
            if ahead.done:
                break
            obs = env.step(guide(obs))
        live.append((env, obs))
    bounds = [
        (follow(e.branch(), o, "random", segment), _oracle(e.branch(), o, segment)) for e, o in live
    ]
    visits = [Visit(scenario, [], 0.0) for scenario in scenarios]
    earned = [0.0] * len(live)
    observations = [obs for _, obs in live]
    for _ in range(segment):
        going = [i for i, obs in enumerate(observations) if not obs.done]
        answers = writer.answer(live[0][0].system_prompt, [observations[i].prompt for i in going])
        for i, answer in zip(going, answers, strict=True):
            env = live[i][0]
            visits[i].states.append((env.branch(), observations[i].prompt))
            visits[i].confidence.append(1.0 if answer.confidence is None else answer.confidence)
            observations[i] = env.step(env.parse(answer.text))
            earned[i] += observations[i].reward or 0.0
    for visit, got, (low, high) in zip(visits, earned, bounds, strict=True):
        visit.normalised = (got - low) / (high - low) if high - low > 1e-9 else 0.0
    return visits


def choose(
    visits: Sequence[Visit], count: int, guard: float, rng: random.Random
) -> list[tuple[Environment, str]]:
    """Return `count` states of different prompts: `guard` of them drawn, the rest least certain.

    Where the model is sure, its samples are alike and earn alike, so that the group's advantages
    are 0. DAPO draws groups and drops such ones [yu2025dapo]; here they are seen before they are
    drawn, in the greedy answer of the walk. The drawn ones stand guard over what the model knows:
    trained where it doubts alone, it unlearned what was right elsewhere and never saw the loss
    (`figures/tried/triage-own-states`). Fewer come back where fewer prompts were seen.
    """
    seen: dict[str, tuple[float, tuple[Environment, str]]] = {}
    for visit in visits:
        for state, sure in zip(visit.states, visit.confidence, strict=True):
            seen.setdefault(state[1], (sure, state))
    ranked = [state for _, state in sorted(seen.values(), key=lambda pair: pair[0])]
    doubted = count - int(guard * count)
    rest = ranked[doubted:]
    return ranked[:doubted] + rng.sample(rest, min(count - doubted, len(rest)))


def _oracle(env: Environment, obs: Any, steps: int) -> float:
    total = 0.0
    for _ in range(steps):
        if obs.done:
            break
        obs = env.step(env.oracle_action())
        total += obs.reward
    return total
