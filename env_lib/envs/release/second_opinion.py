"""The truth a second time: every reader of the changed service is called, before and after.

An independent way to the right decision, by plain execution of our own generated code: neither
the generated contracts, nor the sandbox, nor `truth.py` has a part in it. What each reader got
before the causal commit is what it may expect of it; the safe release is read out of the advisory,
the one in use is what the package is really asked for;
a deployed commit is one that is not newer than the newest deployed one; the teams to notify are
those of who is broken, or else of whose mark decides.
`python -m env_lib.envs.release.second_opinion [EPISODES]` compares, 200 episodes by default.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from env_lib.envs.release.action import act
from env_lib.envs.release.brute import Repository, failing
from env_lib.envs.release.env import SCENARIOS, SPLITS, ReleaseEnv
from env_lib.envs.release.sketch import Edit
from env_lib.envs.release.world import World

EPISODES = 200
COMPARED = 67
"""Episodes of each scenario in a leak check: 201 in all."""
_SAFE = re.compile(r"becomes `pin = \"([^\"]+)\"`")


class Opinion(NamedTuple):
    """What is right for one state of the repository."""

    decision: str
    """"" while unit tests fail."""
    broken: frozenset[str]
    """The consumers that get what they do not expect."""
    teams: frozenset[str] = frozenset({"none"})
    """Of whom one is to be notified."""


def opinion(world: World, tree: Mapping[str, str]) -> Opinion:
    """Return what is right for a tree of our own, by calling everybody who reads."""
    broken = _broken(world, tree)
    units = [c for c in world.checks if c.kind in ("unit", "hidden_unit")]
    if failing(tree, units):
        return Opinion("", broken)

    def told(decision: str, whose: Iterable[str]) -> Opinion:
        return Opinion(decision, broken, frozenset(world.owners[name] for name in whose))

    safe = _SAFE.search(world.sketch.advisory[1])
    if broken or (safe is not None and _pins(world, tree) != {safe[1]}):
        place = {commit.id: number for number, commit in enumerate(world.history)}
        newest = max((place[c.id] for c in world.history if c.live), default=-1)
        decision = "rollback" if place[world.causal] <= newest else "block"
        return told(decision, broken or {world.provider})
    changed = {path.split("/")[0] for path, text in tree.items() if text != world.tree[path]}
    changed -= {world.provider}
    rows = [
        part.splitlines() for part in (world.sketch.before, world.sketch.head, tree[world.path])
    ]
    if not set(rows[0]) - set(rows[1]) <= set(rows[2]):
        changed.add(world.provider)
    if changed & world.protected:
        return told("request_owner_approval", changed & world.protected)
    return told("canary", changed & world.hot) if changed & world.hot else Opinion("ship", broken)


def _pins(world: World, tree: Mapping[str, str]) -> set[str]:
    """Return the releases of the advisory's package that the changed service asks for."""
    repository, asked = Repository(tree), set()
    package = repository.module(f"vendor.{world.sketch.advisory[0]}")
    load = vars(package)["load"]

    def spied(pin: str, text: str) -> object:
        asked.add(pin)
        return load(pin, text)

    vars(package)["load"] = spied
    for key in world.sketch.keys:
        repository.call(world.provider, world.sketch.function, key)
    return asked


def _broken(world: World, tree: Mapping[str, str]) -> frozenset[str]:
    """Call every reader with every key that a contract may use."""
    old, new = Repository(world.parent(world.causal)), Repository(tree)
    found = set()
    for read in world.reads:
        for key in world.sketch.keys[1:]:
            wanted = old.call(read.consumer, "view", key)[read.alias]
            try:
                given = new.call(read.consumer, "view", key)[read.alias]
            except (AttributeError, LookupError, TypeError, ValueError):
                given = None
            if given is None or (read.exact and given != wanted):
                found.add(read.consumer)
    return frozenset(found)


def disagreements(split: str, seeds: Sequence[int]) -> str:
    """Compare with the environment's truth after each patch that is at hand; say where they part.

    The patches are the reference and, where there is one, the tempting one: what the log suggests,
    or what a retry passes over. COMPARED
    episodes a scenario are compared, the seeds' own and those that follow.
    """
    return _first_fault(split, range(min(seeds), min(seeds) + max(COMPARED, len(seeds))))


def _first_fault(split: str, seeds: Sequence[int]) -> str:
    for tier in SCENARIOS:
        env = ReleaseEnv(scenario=tier, split=split)
        for seed in seeds:
            env.reset(seed=seed)
            sketch = env.world.sketch
            for edit in filter(None, (sketch.repair, sketch.hint, sketch.partial)):
                if fault := _fault(env, edit):
                    return f"{tier} seed {seed}: {fault}"
    return ""


def _fault(env: ReleaseEnv, edit: Edit) -> str:
    world, twin = env.world, env.branch()
    action = act("replace", file_path=world.path, search=edit[0], replace=edit[1])
    if error := twin.step(action).error:
        return error
    decision, broken = twin.verdict()
    told = Opinion(decision, frozenset(broken), twin.right_owners())
    tree = {**world.tree, world.path: world.tree[world.path].replace(*edit, 1)}
    mine = opinion(world, tree)
    return "" if mine == told else f"{_words(told)}; by calling readers {_words(mine)}"


def _words(one: Opinion) -> str:
    return f"{one.decision}, broken {sorted(one.broken)}, to notify {sorted(one.teams)}"


def main(arguments: Sequence[str]) -> int:
    """Compare the truth of as many episodes as are asked for; return the exit status."""
    each = -(-int(arguments[0] if arguments else EPISODES) // (len(SPLITS) * len(SCENARIOS)))
    faults = [
        f"{split}, {fault}" for split in SPLITS if (fault := _first_fault(split, range(each)))
    ]
    print("\n".join(faults) or f"{each * len(SPLITS) * len(SCENARIOS)} episodes: all agree")
    return bool(faults)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
