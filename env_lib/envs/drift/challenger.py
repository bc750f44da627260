"""The challenger: proposes how the library moves next, and earns where the repairer is unsure.

A proposal is one breakage on the installed library under the healthy script of the sampled task. It
is valid where the script then fails (or returns another value) and the inverse repair mends it on
all inputs; both are found by running. The reward of a proposal is `1 - |2p - 1|`, p the repairer's
success over 4 to 8 attempts, less half the cosine to the likest of the recent proposals; invalid
drifts earn zero, and nothing earns less. It takes a repairer's attempts, so that no episode pays
it: `contest.play` plays both sides and returns it.
"""

from __future__ import annotations

import ast
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from env_lib.envs.drift import judge, reading
from env_lib.envs.drift.action import ChallengeAction
from env_lib.envs.drift.overlays import why_invalid
from env_lib.envs.drift.primitives import BREAKAGES, PrimitiveError, apply, callee, inverse
from env_lib.envs.drift.proposals import candidates
from env_lib.envs.drift.records import Change, Overlay, Task, healthy

if TYPE_CHECKING:
    from env_lib.rollout import Policy

LEAST, MOST = 4, 8
"""Attempts of the repairer that a proposal is judged by."""
REPETITION = 0.5
"""What a proposal equal to a recent one loses."""
RECENT = 16
"""Proposals that a new one is compared with."""


def task_for(change: Change, task: Task, was: str = "") -> Task | None:
    """Return the task of a proposed drift; None where it breaks nothing or nothing mends it."""
    return examined(change, task, was)[0]


def examined(change: Change, task: Task, was: str = "") -> tuple[Task | None, str]:
    """Return the task of a proposed drift and "", or None and why it is no task."""
    source = healthy(task)
    if change.primitive not in BREAKAGES:
        return None, f"{change.primitive!r} is no breakage; one of: {', '.join(BREAKAGES)}"
    if change.primitive == "change_default":
        was = was or default_of(change)
        if not was:
            return None, f"{change.target} shows no default of {change.old}"
    try:
        repair = _narrowed(inverse(change, was), change, source)
        reference = apply(source, repair)
    except PrimitiveError as error:
        return None, f"nothing mends it: {error}"
    made = replace(
        task,
        id=f"{task.script}-proposed",
        kind=change.primitive,
        source=source,
        reference=reference,
        overlay=Overlay((change,)),
        repairs=(repair,),
        breakages=(),
        silent=False,
        tier="D3",
    )
    why = why_invalid(source, reference, made.inputs, made.overlay)
    if why:
        return None, why
    broken = judge.run(source, made.inputs[:1], made.overlay)
    if broken.ok and judge.same(broken.values[0], task.expected[0]):
        return None, "the overlay breaks nothing on the visible input"
    return replace(made, silent=broken.ok), ""


def _narrowed(repair: Change, change: Change, source: str) -> Change:
    """Return the repair with its call named where other calls have the same keyword."""
    if change.primitive not in ("rename_kwarg", "remove_kwarg") or "." in repair.old:
        return repair
    own = callee(change.target)
    names = {
        ast.unparse(call.func).rpartition(".")[2]
        for call in reading.calls(source)
        if any(word.arg == repair.old for word in call.keywords)
    }
    return replace(repair, old=f"{own}.{repair.old}") if own in names and len(names) > 1 else repair


def default_of(change: Change) -> str:
    """Return the default that the installed signature shows for a keyword, "" where none."""
    from env_lib.envs.drift.signature import signature

    keyword = change.old.rpartition(".")[2]
    shown = signature(change.target, wanted=keyword, budget=100_000)
    try:
        node = ast.parse(f"def call{shown.removeprefix(change.target)}: ...").body[0]
    except SyntaxError:  # a default that is no code, such as an object's address
        plain_value = re.search(rf"[(,] ?{re.escape(keyword)}=([^,()]+)[,)]", shown)
        return plain_value.group(1) if plain_value else ""
    assert isinstance(node, ast.FunctionDef)
    given = node.args
    plain = [*given.posonlyargs, *given.args]
    known = dict(zip([arg.arg for arg in plain[::-1]], given.defaults[::-1], strict=False))
    known |= {arg.arg: value for arg, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)
              if value is not None}  # fmt: skip
    return ast.unparse(known[keyword]) if keyword in known else ""


def change_of(action: ChallengeAction) -> tuple[Change, str]:
    """Return the breakage that a `propose` says, and the default that was."""
    params = action.params or {}
    change = Change(
        action.primitive or "", action.target or "", params.get("old", ""), params.get("new", "")
    )
    return change, params.get("was", "")


def proposed(action: ChallengeAction, task: Task) -> tuple[Task | None, str]:
    """Return the task that a `propose` makes of the sampled one and "", or None and why not."""
    change, was = change_of(action)
    unknown = sorted(set(action.params or {}) - {"old", "new", "was"})
    if unknown:
        return None, f"params has {', '.join(unknown)}; it takes old, new and was"
    return examined(change, task, was)


def propose(change: Change, was: str = "") -> ChallengeAction:
    """Return the action that proposes a breakage."""
    params = {"old": change.old, "new": change.new} | ({"was": was} if was else {})
    return ChallengeAction(
        action_type="propose", primitive=change.primitive, target=change.target, params=params
    )


def _vector(change: Change) -> Counter[str]:
    text = " ".join((change.primitive, change.target, change.old, change.new))
    return Counter([change.primitive, *re.findall(r"[a-z]+", text.lower())])


def cosine(one: Change, other: Change) -> float:
    """Return how like two proposals are, by their words: 1 for equal ones."""
    a, b = _vector(one), _vector(other)
    dot = sum(count * b[word] for word, count in a.items())
    return dot / math.sqrt(sum(n * n for n in a.values()) * sum(n * n for n in b.values()))


def repetition(change: Change, recent: Sequence[Change]) -> float:
    """Return the cosine to the likest of the recent proposals, 0 where there are none."""
    return max((cosine(change, other) for other in recent[-RECENT:]), default=0.0)


def uncertainty(solved: int, attempts: int) -> float:
    """Return `1 - |2p - 1|`: 1 where the repairer solves half of its attempts.

    Raises:
        ValueError: not 4 to 8 attempts, or more solved than attempted.
    """
    if not LEAST <= attempts <= MOST or not 0 <= solved <= attempts:
        raise ValueError(f"{solved} of {attempts} solved; a proposal is judged by 4 to 8 attempts")
    return 1.0 - abs(2.0 * solved / attempts - 1.0)


def reward(
    change: Change, valid: bool, solved: int, attempts: int, recent: Sequence[Change]
) -> float:
    """Return what a proposal earns, from 0 to 1."""
    if not valid:
        return 0.0
    return max(0.0, uncertainty(solved, attempts) - REPETITION * repetition(change, recent))


def solved_of(task: Task, repairers: Sequence[Callable[[], Policy]], attempts: int = LEAST) -> int:
    """Return how many of so many attempts mend a task; the repairers take turns."""
    from env_lib.envs.drift.env import DriftEnv
    from env_lib.rollout import run_episode

    env = DriftEnv(scenario=task.tier, split=task.split, task=task)
    played = (run_episode(env, repairers[n % len(repairers)](), seed=n) for n in range(attempts))
    return sum(int(episode.metrics["solved"]) for episode in played)


class RuleChallenger:
    """Proposes valid drifts of what a script uses, each as unlike the recent ones as it can."""

    def __init__(self, seed: int = 0, looked: int = 8) -> None:
        """Draw from `seed`; of `looked` candidates the one least like the recent is tried first."""
        self._rng = random.Random(f"drift/challenger/{seed}")
        self.looked = looked
        self.recent: list[Change] = []

    def __call__(self, task: Task) -> Task | None:
        """Return the task of the next proposal; None where no candidate is valid."""
        found = list(candidates(healthy(task), self._rng))[: self.looked]
        for change in sorted(found, key=lambda one: repetition(one, self.recent)):
            made = task_for(change, task)
            if made is not None:
                self.recent.append(change)
                return made
        return None


def first_proposal(task: Task, seed: int, number: int = 0) -> ChallengeAction:
    """Return a proposal about a task's script, drawn from the seed; `number` asks for others."""
    rng = random.Random(f"drift/proposal/{seed}")
    found = list(candidates(healthy(task), rng))
    found.sort(key=lambda one: one.primitive != "rename_kwarg" or not one.old.isidentifier())
    found = found or [Change("rename_symbol", "none", "a", "b")]
    return propose(found[number % len(found)])
