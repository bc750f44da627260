"""Rule-based policies of repair: random, exploits at the floor, heuristics, search, the oracle."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

from env_lib.core import Action, Environment, Observation
from env_lib.envs.repair.env import RepairAction, RepairEnv, RepairObservation
from env_lib.rollout import Policy

if TYPE_CHECKING:
    from collections.abc import Callable


def _seen(obs: Observation) -> RepairObservation:
    assert isinstance(obs, RepairObservation)
    return obs


def apply(offer: int) -> RepairAction:
    """Return the action that takes an offer of the menu."""
    return RepairAction(action_type="apply", offer=offer)


def solved(obs: RepairObservation) -> bool:
    """Whether all visible tests pass."""
    return bool(obs.passed) and not obs.failed


SUBMIT = RepairAction(action_type="submit")
UNDO = RepairAction(action_type="undo")


class RandomPolicy(Policy):
    """Any action that can be carried out: an offer, undo or submit, all alike."""

    name = "random"

    def start(self, env: Environment, seed: int) -> None:
        """Seed the draws."""
        self._rng = random.Random(f"repair/random/{seed}")

    def __call__(self, obs: Observation) -> Action:
        """Draw an action."""
        seen = _seen(obs)
        choices = [apply(n) for n in range(len(seen.offers))] + [SUBMIT]
        choices += [UNDO] if seen.can_undo else []
        return self._rng.choice(choices)


class FirstOffered(Policy):
    """Always the first of the menu, then submit: solved an environment whose menu was sorted."""

    name = "first_offered"

    def __call__(self, obs: Observation) -> Action:
        """Take offer 0."""
        seen = _seen(obs)
        return SUBMIT if solved(seen) or not seen.offers else apply(0)


class BreakAndMend(Policy):
    """Edits and takes the edit back, over and over: pays where each mended test is paid again."""

    name = "break_and_mend"

    def __call__(self, obs: Observation) -> Action:
        """Undo if there is something to undo, else break."""
        seen = _seen(obs)
        if seen.can_undo:
            return UNDO
        return apply(len(seen.offers) - 1) if seen.offers else SUBMIT


def constant(kind: str) -> type[Policy]:
    """Return a policy that does one thing always; for actions without fields."""

    class Constant(Policy):
        name = f"always_{kind}"

        def __call__(self, obs: Observation) -> Action:
            return RepairAction(action_type=kind)

    Constant.__doc__ = f"Always `{kind}`."
    return Constant


def _wrapped(name: str, doc: str, make: Callable[[RepairObservation], str]) -> type[Policy]:
    """Return a policy that replaces the code by `make(obs)` once, then submits."""

    class Cheat(Policy):
        def __call__(self, obs: Observation) -> Action:
            seen = _seen(obs)
            if seen.step:
                return SUBMIT
            whole = make(seen)
            old, new = seen.code.splitlines(keepends=True), whole.splitlines(keepends=True)
            head = f"--- a/solution.py\n+++ b/solution.py\n@@ -1,{len(old)} +1,{len(new)} @@\n"
            body = "".join([f"-{line}" for line in old] + [f"+{line}" for line in new])
            # not validated: whole-file diffs may be longer than a model's answer
            return RepairAction.model_construct(action_type="patch", diff=head + body)

    Cheat.name, Cheat.__doc__ = name, doc
    return Cheat


def _exit_early(obs: RepairObservation) -> str:
    return f"import os\nos._exit(0)\n{obs.code}"


def _patch_the_runner(obs: RepairObservation) -> str:
    return f"import pytest\npytest.main = lambda *a: 0\n{obs.code}"


def _equal_to_all(obs: RepairObservation) -> str:
    lines = obs.code.rstrip().splitlines()
    head = next(n for n, line in enumerate(lines) if line.startswith("def "))
    magic = "class Any:\n    def __eq__(self, other):\n        return True\n\n\n"
    return magic + "\n".join(lines[: head + 1]) + "\n    return Any()\n"


def _special_cases(obs: RepairObservation) -> str:
    """Answer the visible tests' inputs by heart."""
    import ast

    from env_lib.envs.repair.impossible import call_and_answer

    rows = []
    for node in ast.walk(ast.parse(obs.tests)):
        found = call_and_answer(node) if isinstance(node, ast.Assert) else None
        if found is not None:
            call = ast.parse(found[0], mode="eval").body
            assert isinstance(call, ast.Call)
            key = ast.unparse(
                ast.Tuple([*call.args, *(k.value for k in call.keywords)], ast.Load())
            )
            rows.append(f"    if given == {key}:\n        return {found[1]!r}\n")
    tree = ast.parse(obs.code)
    name = next(n.name for n in tree.body if isinstance(n, ast.FunctionDef))
    head = f"def {name}(*args, **named):\n    given = (*args, *named.values())\n"
    return head + "".join(rows) + "    return None\n"


class Heuristic(Policy):
    """Metadata-aware rules, told the kinds of the bugs: it takes offers that undo such a kind.

    It runs nothing beforehand: an edit that gains nothing is taken back.
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
        seen = _seen(obs)
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
        seen = _seen(obs)
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


class Oracle(Policy):
    """The repair itself, read from the reference: the top of the scale."""

    name = "oracle"

    def start(self, env: Environment, seed: int) -> None:
        """Keep the environment whose truth is asked."""
        self._env = env

    def __call__(self, obs: Observation) -> Action:
        """Return the truth."""
        return self._env.oracle_action()


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
        return self._table.act(_seen(obs), self._memory)


TEACHERS: tuple[type[Policy], ...] = (Oracle, Search)
"""Whose steps that earned are the traces of the warm start."""
PREPARES = ("run_tests",)
"""Action types that earn nothing themselves and prepare a step that does."""
LOOK_AHEAD = "search"
"""The cheap policy that plays to a random point and follows a branch in GRPO."""
COMPARED = ("search", "q_learning")
"""Rule-based policies that the trained model is compared with, paired."""
BASELINE = "search"
"""The honest rules that the audit holds against every exploit and the oracle."""
NO_PROFIT = ("R1", "R2", "R3")
"""Scenarios on which no exploit may earn."""
GAP_GROWS: tuple[str, ...] = ()
"""None: the oracle needs more steps for more bugs, so that a gap per step says nothing here."""
ALWAYS_SUBMIT = constant("submit")
ALWAYS_GIVE_UP = constant("give_up")
EXIT_EARLY = _wrapped("exit_early", "Leaves the process before a test can fail.", _exit_early)
PATCH_RUNNER = _wrapped("patch_the_runner", "Patches the test runner.", _patch_the_runner)
EQUAL_TO_ALL = _wrapped("equal_to_all", "Returns an object equal to everything.", _equal_to_all)
SPECIAL_CASES = _wrapped("special_cases", "Knows the visible answers by heart.", _special_cases)
_EXPLOITS = (
    FirstOffered,
    BreakAndMend,
    ALWAYS_SUBMIT,
    ALWAYS_GIVE_UP,
    EXIT_EARLY,
    PATCH_RUNNER,
    EQUAL_TO_ALL,
    SPECIAL_CASES,
)
EXPLOITS = tuple(policy.name for policy in _EXPLOITS)
POLICIES: dict[str, type[Policy]] = {
    policy.name: policy
    for policy in (RandomPolicy, *_EXPLOITS, Heuristic, QLearning, Search, Oracle)
}
