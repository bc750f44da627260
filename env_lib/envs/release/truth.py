"""What is right, computed from the state of the repository: never declared, never remembered.

Order of precedence, once unit tests pass: broken contracts or an unsafe dependency (roll back
what is live, block what is not), a protected file (its owner approves), code whose speed matters
and that no contract measures (canary), else ship. A file counts as touched where it differs from
what it would be without the causal commit.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from env_lib.envs.release.code import path_of
from env_lib.envs.release.runner import Results
from env_lib.envs.release.world import World

NOBODY = "none"
"""The owner to notify where nobody has to be."""


def failed(world: World, results: Results, *kinds: str) -> tuple[str, ...]:
    """Return the services with a failing check of some kinds."""
    bad = (c.service for c in world.checks if c.kind in kinds and results[c.id])
    return tuple(dict.fromkeys(bad))


def is_repaired(world: World, results: Results) -> bool:
    """Whether all unit tests pass, those with inputs that are not shown included."""
    return not failed(world, results, "unit", "hidden_unit")


def broken_contracts(world: World, results: Results) -> tuple[str, ...]:
    """Return the consumers whose expectations are not met, by visible or hidden contracts."""
    return failed(world, results, "contract", "hidden")


def is_unsafe(world: World, results: Results) -> bool:
    """Whether the code, when called, does what an advisory warns of."""
    return bool(failed(world, results, "safety"))


def touched(world: World, tree: Mapping[str, str]) -> tuple[str, ...]:
    """Return the services whose code the release changes: by the causal commit or by edits."""
    found = []
    for name in world.services:
        path = path_of(name)
        without = world.untouched if name == world.provider else world.tree[path]
        if tree[path] != without:
            found.append(name)
    return tuple(found)


def right_decision(world: World, tree: Mapping[str, str], results: Results) -> str:
    """Return the right decision, "" while unit tests fail."""
    if not is_repaired(world, results):
        return ""
    if broken_contracts(world, results) or is_unsafe(world, results):
        return "rollback" if world.causal_is_live else "block"
    changed = touched(world, tree)
    if world.protected & set(changed):
        return "request_owner_approval"
    return "canary" if world.hot & set(changed) else "ship"


def right_owners(world: World, tree: Mapping[str, str], results: Results) -> frozenset[str]:
    """Return the owners of whom one has to be notified with the right decision."""
    decision, changed = right_decision(world, tree, results), set(touched(world, tree))
    asked: Iterable[str] = ()
    if decision in ("block", "rollback"):
        asked = broken_contracts(world, results) or (world.provider,)
    elif decision == "request_owner_approval":
        asked = world.protected & changed
    elif decision == "canary":
        asked = world.hot & changed
    return frozenset(world.owners[name] for name in asked) or frozenset({NOBODY})


def f1(found: Iterable[str], wanted: Iterable[str]) -> float:
    """Return the harmonic mean of precision and recall of two sets; 0 where one is empty."""
    mine, theirs = set(found), set(wanted)
    if not mine or not theirs:
        return 0.0
    return 2 * len(mine & theirs) / (len(mine) + len(theirs))


def changed_lines(old: Mapping[str, str], new: Mapping[str, str]) -> int:
    """Return how many lines differ between two trees, a replaced line counted once."""
    total = 0
    for path, text in new.items():
        if text != old[path]:
            matcher = difflib.SequenceMatcher(
                None, old[path].splitlines(), text.splitlines(), autojunk=False
            )
            total += sum(
                max(i2 - i1, j2 - j1)
                for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal"
            )  # fmt: skip
    return total


def smallness(world: World, tree: Mapping[str, str]) -> float:
    """Return changed lines of the reference patch by those of the tree, at most 1."""
    lines = changed_lines(world.tree, tree)
    if not lines:
        return 0.0
    return min(1.0, changed_lines(world.tree, world.repaired()) / lines)


def next_edit(now: str, wanted: str) -> tuple[str, str]:
    """Return (search, replace) that brings a text nearer to another; found exactly once.

    Raises:
        ValueError: the texts are equal.
    """
    here, there = now.splitlines(keepends=True), wanted.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, here, there, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            continue
        while True:
            search, put = "".join(here[i1:i2]), "".join(there[j1:j2])
            if search and now.count(search) == 1:
                return search, put
            if i1 == 0 and i2 == len(here):
                return search, put
            i1, j1, i2, j2 = max(0, i1 - 1), max(0, j1 - 1), i2 + 1, j2 + 1
    raise ValueError("the texts are equal; there is nothing to edit")
