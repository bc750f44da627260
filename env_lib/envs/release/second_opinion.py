"""The truth a second time: every reader of the changed service is called, before and after.

An independent way to the right decision, by plain execution of our own generated code: neither
the generated contracts, nor the sandbox, nor `truth.py` has a part in it. What each reader got
before the causal commit is what it may expect of it; the safe release is read out of the advisory,
the one in use is what the package is really asked for;
a deployed commit is one that is not newer than the newest deployed one.
`python -m env_lib.envs.release.second_opinion [EPISODES]` compares, 200 episodes by default.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence

from env_lib.envs.release.action import act
from env_lib.envs.release.brute import Repository, failing
from env_lib.envs.release.env import SCENARIOS, SPLITS, ReleaseEnv
from env_lib.envs.release.sketch import Edit
from env_lib.envs.release.world import World

EPISODES = 200
COMPARED = 67
"""Episodes of each scenario in a leak check: 201 in all."""
_SAFE = re.compile(r"becomes `pin = \"([^\"]+)\"`")
Opinion = tuple[str, frozenset[str]]
"""(right decision, "" while unit tests fail; the consumers that get what they do not expect)."""


def opinion(world: World, tree: Mapping[str, str]) -> Opinion:
    """Return what is right for a tree of our own, by calling everybody who reads."""
    broken = _broken(world, tree)
    units = [c for c in world.checks if c.kind in ("unit", "hidden_unit")]
    if failing(tree, units):
        return "", broken
    safe = _SAFE.search(world.sketch.advisory[1])
    if broken or (safe is not None and _pins(world, tree) != {safe[1]}):
        place = {commit.id: number for number, commit in enumerate(world.history)}
        newest = max((place[c.id] for c in world.history if c.live), default=-1)
        return "rollback" if place[world.causal] <= newest else "block", broken
    changed = {path.split("/")[0] for path, text in tree.items() if text != world.tree[path]}
    changed -= {world.provider}
    if world.sketch.before not in tree[world.path]:
        changed.add(world.provider)
    if changed & world.protected:
        return "request_owner_approval", broken
    return "canary" if changed & world.hot else "ship", broken


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

    The patches are the reference and, where the log suggests one, the tempting one. COMPARED
    episodes a scenario are compared, the seeds' own and those that follow.
    """
    return _first_fault(split, range(min(seeds), min(seeds) + max(COMPARED, len(seeds))))


def _first_fault(split: str, seeds: Sequence[int]) -> str:
    for tier in SCENARIOS:
        env = ReleaseEnv(scenario=tier, split=split)
        for seed in seeds:
            env.reset(seed=seed)
            sketch = env.world.sketch
            for edit in (sketch.repair, *([sketch.hint] if sketch.hint else ())):
                if fault := _fault(env, edit):
                    return f"{tier} seed {seed}: {fault}"
    return ""


def _fault(env: ReleaseEnv, edit: Edit) -> str:
    world, twin = env.world, env.branch()
    action = act("replace", file_path=world.path, search=edit[0], replace=edit[1])
    if error := twin.step(action).error:
        return error
    told, broken = twin.verdict()
    tree = {**world.tree, world.path: world.tree[world.path].replace(*edit, 1)}
    mine = opinion(world, tree)
    if mine == (told, frozenset(broken)):
        return ""
    return f"{told}, broken {sorted(broken)}; by calling readers {mine[0]}, {sorted(mine[1])}"


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
