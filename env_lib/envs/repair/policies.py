"""Rule-based policies of repair: random, heuristics, search, the oracle; see `exploits` too."""

from __future__ import annotations

import random

from env_lib.core import Action, Environment, Observation
from env_lib.envs.repair import exploits
from env_lib.envs.repair.action import RepairAction, RepairObservation
from env_lib.envs.repair.env import RepairEnv
from env_lib.envs.repair.exploits import SUBMIT, UNDO, apply, seen_in, solved
from env_lib.rollout import Oracle, Policy


class RandomPolicy(Policy):
    """Any action that can be carried out: an offer, undo or submit, all alike."""

    name = "random"

    def start(self, env: Environment, seed: int) -> None:
        """Seed the draws."""
        self._rng = random.Random(f"repair/random/{seed}")

    def __call__(self, obs: Observation) -> Action:
        """Draw an action."""
        seen = seen_in(obs)
        choices = [apply(n) for n in range(len(seen.offers))] + [SUBMIT]
        choices += [UNDO] if seen.can_undo else []
        return self._rng.choice(choices)


class Heuristic(Policy):
    """Metadata-aware rules, told the kinds of the bugs: it takes offers that undo such a kind.

    An upper bound of rules, since no agent is told the kinds. It runs nothing beforehand: an edit
    that gains nothing is taken back.
    """

    name = "heuristic"

    def start(self, env: Environment, seed: int) -> None:
        """Read the kinds: a privilege."""
        assert isinstance(env, RepairEnv)
        self._kinds = frozenset(env.known_kinds())
        self._tried: set[tuple[str, str, int]] = set()
        self._before = -1

    def _fits(self, transform_id: str) -> bool:
        from env_lib.envs.repair.transforms_catalog import entry_of

        entry = entry_of(transform_id)
        return entry is not None and entry.kind in self._kinds

    def __call__(self, obs: Observation) -> Action:
        """Submit, take back what gained nothing, or try the next fitting offer."""
        seen = seen_in(obs)
        if solved(seen):
            return SUBMIT
        if self._before >= 0 and seen.can_undo and len(seen.passed) <= self._before:
            self._before = -1
            return UNDO
        for number, (name, line) in enumerate(seen.offers):
            if self._fits(name) and (seen.code, name, line) not in self._tried:
                self._tried.add((seen.code, name, line))
                self._before = len(seen.passed)
                return apply(number)
        return SUBMIT


class Search(Policy):
    """Tries every offer on a copy of the code, and takes the one after which most tests pass.

    The visible tests are there to be run, so that trying costs time and no reward. It is greedy:
    where no single edit helps, because two bugs hide each other, it stops.
    """

    name = "search"

    def __call__(self, obs: Observation) -> Action:
        """Take the best offer that helps; submit where there is none."""
        seen = seen_in(obs)
        if solved(seen) or seen.step >= seen.budget - 1:
            return SUBMIT
        found = []
        for number, (name, line) in enumerate(seen.offers):
            code = self._tried(seen.code, name, line)
            if code is not None:
                found.append((-self._passing(code, seen.tests), number))
        if not found:
            return SUBMIT
        best, number = min(found)
        return apply(number) if -best > len(seen.passed) else SUBMIT

    def _tried(self, code: str, name: str, line: int) -> str | None:
        from env_lib.envs.repair.transforms import TransformError
        from env_lib.envs.repair.transforms import apply as transformed

        try:
            return transformed(code, name, line)
        except TransformError:
            return None

    def _passing(self, code: str, tests: str) -> int:
        from env_lib.envs.repair.runner import run_tests

        return len(run_tests(code, tests).passed)


class QLearning(Policy):
    """Tabular Q-learning; its table is trained once on the train split and kept in a file."""

    name = "q_learning"

    def __init__(self) -> None:
        """Load the table, or train it: see `qtable`."""
        from env_lib.envs.repair.qtable import table

        self._table = table()

    def start(self, env: Environment, seed: int) -> None:
        """Forget what was tried in the episode before."""
        from env_lib.envs.repair.qview import Memory

        self._memory = Memory()

    def __call__(self, obs: Observation) -> Action:
        """Take the best known action of the state."""
        return self._table.act(seen_in(obs), self._memory)


def gained_nothing(seen: RepairObservation) -> bool:
    """Whether no more tests pass than before the last edit that stands: the prompt says so."""
    return not solved(seen) and seen.before is not None and len(seen.passed) <= seen.before


class Trial(Policy):
    """Takes the first offer, and takes back what gained nothing: it reads no code."""

    name = "trial"

    def __call__(self, obs: Observation) -> Action:
        """Submit what passes, undo what gained nothing, else try the next offer."""
        seen = seen_in(obs)
        if solved(seen):
            return SUBMIT
        if gained_nothing(seen):
            return UNDO
        return apply(0) if seen.offers else SUBMIT


class Mender(Search):
    """The search that takes back what gained nothing, and gives up where the oracle does.

    When it takes back is what `trial` does, and the prompt says it: a model can learn that whole.
    """

    name = "mender"

    def start(self, env: Environment, seed: int) -> None:
        """Keep the environment whose oracle is asked."""
        self._env = env

    def __call__(self, obs: Observation) -> Action:
        """Undo what gained nothing, give up, or take the best offer that helps."""
        if gained_nothing(seen_in(obs)):
            return UNDO
        best = self._env.oracle_action()
        return best if best.action_type == "give_up" else super().__call__(obs)


class Stray(RandomPolicy):
    """Takes an offer at random: the errors after which the traces show how to go on."""

    name = "stray"

    def __call__(self, obs: Observation) -> Action:
        """Draw an offer, unless all is well."""
        seen = seen_in(obs)
        if solved(seen) or not seen.offers:
            return RepairAction(action_type="run_tests")
        return apply(self._rng.randrange(len(seen.offers)))


TEACHERS: tuple[type[Policy], ...] = (Mender,)
"""Whose steps that earned are the traces of the warm start."""
STRAY, STRAY_SHARE = Stray, 0.4
"""Who makes so many of the teacher's steps; see `training.traces`. A model's edits are mostly wrong
ones, and the traces are to show the states in which it will be."""
PREPARES = ("run_tests", "undo")
"""Action types that earn nothing themselves and prepare a step that does."""
EASY = ("submit",)
"""Moves that few traces teach: the prompt says when all visible tests pass."""
LAST_LINES = 1
"""What passes and what the last edit gained: all but which offer is right."""
LOOK_AHEAD = "search"
"""The cheap policy that plays to a random point and follows a branch in GRPO."""
COMPARED = ("search", "trial", "q_learning")
"""Rule-based policies that the trained model is compared with, paired."""
BASELINE = "search"
"""The honest rules that the audit holds against every exploit and the oracle."""
NO_PROFIT = ("R1", "R2", "R3")
"""Scenarios on which no exploit may earn."""
RULES_PLAY = 2
"""Honest rules are judged on so many times the models' tasks, an episode costing them a second or
less: 32 tasks a tier in profile `cpu`, on which shares by kind of bug and Q-learning's row rest."""
GAP_GROWS: tuple[str, ...] = ()
"""None: the oracle needs more steps for more bugs, so that a gap per step says nothing here."""
EXPLOITS = tuple(policy.name for policy in exploits.EXPLOITS)
_ALL: tuple[type[Policy], ...] = (
    RandomPolicy, *exploits.EXPLOITS, Heuristic, QLearning, Trial, Search, Mender, Oracle,
)  # fmt: skip
POLICIES: dict[str, type[Policy]] = {policy.name: policy for policy in _ALL}
