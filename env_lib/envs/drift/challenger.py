"""The challenger: proposes how the library moves next, and earns where the repairer is unsure.

A proposal is one breakage on the installed library under the healthy script of the sampled task. It
is valid where the script then fails (or returns another value) and the inverse repair mends it on
all inputs; both are found by running. The reward of a proposal is `1 - |2p - 1|`, p the repairer's
success over 4 to 8 attempts, less half the cosine to the likest of the recent proposals; invalid
drifts earn zero, and nothing earns less.
"""

from __future__ import annotations

import ast
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from env_lib.envs.drift import judge, reading
from env_lib.envs.drift.action import ChallengeAction
from env_lib.envs.drift.looking import libraries
from env_lib.envs.drift.primitives import PrimitiveError, apply, inverse
from env_lib.envs.drift.records import Change, Overlay, Task

if TYPE_CHECKING:
    from env_lib.rollout import Policy

LEAST, MOST = 4, 8
"""Attempts of the repairer that a proposal is judged by."""
REPETITION = 0.5
"""What a proposal equal to a recent one loses."""
RECENT = 16
"""Proposals that a new one is compared with."""
SYNONYMS = {
    "max": "top", "min": "least", "eval": "assess", "num": "count", "n": "number", "size": "extent",
    "train": "fit", "data": "rows", "columns": "fields", "column": "field", "index": "labels",
    "name": "title", "model": "network", "strategy": "plan", "steps": "updates", "batch": "chunk",
    "by": "key", "axis": "along", "random": "chance", "state": "seed", "learning": "step",
    "rate": "pace", "output": "target", "dir": "folder", "split": "part", "text": "words",
}  # fmt: skip


def healthy(task: Task) -> str:
    """Return the script of a task that runs on the installed release."""
    return task.source if task.overlay.changes else task.reference


def invented(word: str, rng: random.Random) -> str:
    """Return a name for what a word means that no release has."""
    if word[:1].isupper():
        return f"{rng.choice(('New', 'Base', 'Core'))}{word}"
    parts = [SYNONYMS.get(part, part) for part in word.split("_")]
    made = "_".join(parts)
    return made if made != word else f"{word}_{rng.choice(('spec', 'value', 'option'))}"


def task_for(change: Change, task: Task, was: str = "") -> Task | None:
    """Return the task of a proposed drift; None where it breaks nothing or nothing mends it."""
    source = healthy(task)
    try:
        repair = inverse(change, was)
        reference = apply(source, repair)
    except PrimitiveError:
        return None
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
    broken = judge.run(source, made.inputs[:1], made.overlay)
    if broken.error_type == "overlay" or judge.seen(made, source).right:
        return None
    mended = judge.run(reference, made.inputs, made.overlay)
    right = mended.ok and all(map(judge.same, mended.values, made.expected))
    return replace(made, silent=broken.ok) if right else None


def change_of(action: ChallengeAction) -> tuple[Change, str]:
    """Return the breakage that a `propose` says, and the default that was."""
    params = action.params or {}
    change = Change(
        action.primitive or "", action.target or "", params.get("old", ""), params.get("new", "")
    )
    return change, params.get("was", "")


def proposed(action: ChallengeAction, task: Task) -> Task | None:
    """Return the task that a `propose` makes of the sampled one; None where it is invalid."""
    return task_for(*change_of(action)[:1], task, change_of(action)[1])


def propose(change: Change, was: str = "") -> ChallengeAction:
    """Return the action that proposes a breakage."""
    params = {"old": change.old, "new": change.new} | ({"was": was} if was else {})
    return ChallengeAction(
        action_type="propose", primitive=change.primitive, target=change.target, params=params
    )


OWNERS = {"pandas": "pandas.DataFrame", "datasets": "datasets.Dataset"}
"""Library -> the class that a script's method calls are most often of."""


def _target(call: ast.Call, source: str) -> str:
    """Return the dotted name of what is called; a guess for methods, which running confirms."""
    path = reading.path_of(call, source)
    if "." in path or not isinstance(call.func, ast.Attribute):
        return path if "." in path else ""
    owner = next((OWNERS[name] for name in libraries(source) if name in OWNERS), "")
    return f"{owner}.{call.func.attr}" if owner else ""


def candidates(source: str, rng: random.Random) -> Iterator[Change]:
    """Yield breakages of what a script uses, in random order: keywords, names, returns."""
    found: list[Change] = []
    for call in reading.calls(source):
        path = _target(call, source)
        if not path:
            continue
        for keyword in call.keywords:
            if keyword.arg:
                new = invented(keyword.arg, rng)
                found.append(Change("rename_kwarg", path, keyword.arg, new))
                found.append(Change("remove_kwarg", path, keyword.arg, ""))
        name = path.rpartition(".")[2]
        found.append(Change("rename_symbol", path, name, invented(name, rng)))
        found.append(Change("change_return", path, "", "[0]"))
    unique = list(dict.fromkeys(found))
    rng.shuffle(unique)
    yield from unique


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


def first_proposal(task: Task, seed: int) -> ChallengeAction:
    """Return a proposal about a task's script, drawn from the seed."""
    rng = random.Random(f"drift/proposal/{seed}")
    found = list(candidates(healthy(task), rng))
    change = next((one for one in found if one.primitive == "rename_kwarg"), None)
    return propose(change or (found[0] if found else Change("rename_symbol", "none", "a", "b")))
