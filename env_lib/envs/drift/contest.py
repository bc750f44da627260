"""Plays a challenger against repairers, and pays the challenger: see `challenger.reward`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from env_lib.envs.drift import challenger
from env_lib.envs.drift.action import ChallengeAction
from env_lib.envs.drift.env import DriftEnv
from env_lib.envs.drift.records import Change, Task
from env_lib.rollout import Policy


@dataclass(frozen=True)
class Proposal:
    """What came of one proposal."""

    change: Change
    task: Task | None
    """The task that it makes; None where it is invalid."""
    solved: int
    """Attempts of the repairers that mend it."""
    reward: float
    """What the challenger earns, from 0 to 1."""
    error: str = ""
    """Why it is invalid, "" where it is not."""


def play(
    proposer: Policy,
    repairers: Sequence[Callable[[], Policy]],
    tasks: Iterable[Task],
    attempts: int = challenger.LEAST,
    seed: int = 0,
) -> list[Proposal]:
    """Let a policy propose one drift for each task, repairers mend it, and return the rewards.

    Args:
        proposer: sees the opening of an episode with `challenger=True`.
        repairers: make the policies that take turns in the attempts, such as a model's.
        tasks: whose healthy scripts are proposed on.
        attempts: of the repairers, 4 to 8.
        seed: of the first episode; each further task has the next one.

    Raises:
        ValueError: not 4 to 8 attempts.
    """
    played: list[Proposal] = []
    recent: list[Change] = []
    challenger.uncertainty(0, attempts)
    for number, task in enumerate(tasks, seed):
        env = DriftEnv(scenario=task.tier, split=task.split, task=task, challenger=True)
        obs = env.reset(seed=number)
        proposer.start(env, number)
        action = proposer(obs)
        if not isinstance(action, ChallengeAction) or action.action_type != "propose":
            error = getattr(action, "error", "") or "the answer proposes nothing"
            played.append(Proposal(Change(""), None, 0, 0.0, error))
            continue
        change = challenger.change_of(action)[0]
        made, error = challenger.proposed(action, task)
        solved = challenger.solved_of(made, repairers, attempts) if made else 0
        paid = challenger.reward(change, made is not None, solved, attempts, recent)
        recent.append(change)
        played.append(Proposal(change, made, solved, paid, error))
    return played
