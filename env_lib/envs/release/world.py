"""One episode's organisation, made from (split, scenario, seed) alone.

A situation is drawn first, evenly over each five consecutive seeds, then a family, then
everything else. What is right to decide is not part of a world: `truth.py` computes it from the
state of the repository.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

from env_lib.core import stable_hash
from env_lib.envs.release.code import Check, Constants, Read, path_of
from env_lib.envs.release.families import FAMILIES, LIKELY, OUTSIDE, draw, messages_of
from env_lib.envs.release.graph import Shape, closures, draw_reads, reached
from env_lib.envs.release.sketch import Edit, Sketch, shortened

SPLITS = ("train", "val", "test", "test_ood")
SITUATIONS = ("ship", "block", "canary", "rollback", "request_owner_approval")
SHIFTS = ("block", "rollback")
"""Situations whose causal commit breaks contracts however it is repaired minimally."""
TEAMS = (
    "team-edge", "team-money", "team-data", "team-apps", "team-core", "team-ops", "team-web",
    "team-trust", "team-field",
)  # fmt: skip
DECOY_SHARE = 0.3
"""How often a mark (live, protected, hot) is where it decides nothing."""


@dataclass(frozen=True)
class Size:
    """How large an episode of a scenario is."""

    shape: Shape
    commits: tuple[int, int]
    wordy: bool
    """Whether further decoys rewrite the changed service's code."""


SIZES = {
    "L1": Size(Shape(others=1, depth=1, second=0.0), (4, 5), False),
    "L2": Size(Shape(others=3, depth=2, second=0.3), (6, 7), True),
    "L3": Size(Shape(others=4, depth=3, second=0.4), (8, 10), True),
}


@dataclass(frozen=True)
class Commit:
    """One commit of the linear history; `tree` is the repository after it."""

    id: str
    service: str
    message: str
    tree: Mapping[str, str]
    live: bool


@dataclass(frozen=True)
class World:
    """Everything that an episode rests on; nothing of it changes."""

    family: str
    provider: str
    sketch: Sketch
    services: tuple[str, ...]
    reads: tuple[Read, ...]
    owners: Mapping[str, str]
    history: tuple[Commit, ...]
    """Oldest first."""
    before: Mapping[str, str]
    """The tree before the first commit."""
    causal: str
    checks: tuple[Check, ...]
    protected: frozenset[str]
    """Services whose file needs its owner's approval."""
    hot: frozenset[str]
    """Services whose speed matters, which no contract measures."""
    untouched: str
    """The provider's file as it would be without the causal commit."""
    impacted: frozenset[str]
    closure: Mapping[str, frozenset[str]]

    @property
    def tree(self) -> Mapping[str, str]:
        """The repository as the agent finds it."""
        return self.history[-1].tree

    @property
    def path(self) -> str:
        """The provider's file."""
        return path_of(self.provider)

    @property
    def causal_is_live(self) -> bool:
        """Whether the causal commit is deployed."""
        return next(c.live for c in self.history if c.id == self.causal)

    def parent(self, commit: str) -> Mapping[str, str]:
        """Return the tree before a commit."""
        at = [c.id for c in self.history].index(commit)
        return self.history[at - 1].tree if at else self.before

    def repaired(self) -> Mapping[str, str]:
        """Return the tree after the reference patch."""
        return patched(self.tree, self.path, self.sketch.repair)

    def content_hash(self) -> str:
        """Return the sha256 of all that an agent could see, and of the hidden tests."""
        rows = [[c.message, c.live, sorted(c.tree.items())] for c in self.history]
        marks = [sorted(self.owners.items()), sorted(self.protected), sorted(self.hot)]
        return stable_hash([rows, marks, [c.cases + c.statement for c in self.checks]])


def patched(tree: Mapping[str, str], path: str, edit: Edit) -> Mapping[str, str]:
    """Return a tree with one exact replacement made once."""
    return {**tree, path: tree[path].replace(edit[0], edit[1], 1)}


def situation_of(split: str, tier: str, seed: int) -> str:
    """Return the situation of a seed: each one once in every five consecutive seeds."""
    order = list(SITUATIONS)
    random.Random(f"release/situation/{split}/{tier}/{seed // len(order)}").shuffle(order)
    return order[seed % len(order)]


@lru_cache(maxsize=1024)
def build(split: str, tier: str, seed: int) -> World:
    """Return the world of a seed."""
    from env_lib.envs.release.checks import checks_of
    from env_lib.envs.release.history import write_history

    rng = random.Random(f"release/{split}/{tier}/{seed}")
    situation, size = situation_of(split, tier, seed), SIZES[tier]
    known = OUTSIDE if split == "test_ood" else FAMILIES
    weights = [2 if LIKELY.get(name) == situation else 1 for name in known]
    family = rng.choices(known, weights)[0]
    sketch = draw(family, rng, situation in SHIFTS)
    provider = rng.choice([n for n in sketch.names if n not in (sketch.field, sketch.function)])
    fields = (sketch.field, sketch.other)
    others, reads = draw_reads(rng, size.shape, provider, fields, 2 + seed % 2)
    services = (*others, provider)
    order = list(services)
    rng.shuffle(order)
    services = tuple(order)
    impacted = reached(reads, provider, sketch.field)
    settings = {
        name: Constants(rng.choice(("eu", "us", "ap")), rng.randint(2, 6), rng.randrange(10, 90, 5))
        for name in services
    }
    checks, old = checks_of(sketch, provider, services, reads, settings)
    told = write_history(
        rng, sketch, provider, services, reads, settings, checks, old, size, situation,
        messages_of(known, rng),
    )  # fmt: skip
    head = told.commits[-1].tree[path_of(provider)]
    sketch = replace(sketch, repair=shortened(head, sketch.repair))
    marks = _marks(rng, situation, provider, services)
    return World(
        family=family, provider=provider, sketch=sketch, services=services, reads=reads,
        owners=_owners(rng, services), history=told.commits, before=told.before,
        causal=told.causal, checks=(*checks, *told.tests), protected=marks[0], hot=marks[1],
        untouched=told.untouched, impacted=impacted, closure=closures(reads, services),
    )  # fmt: skip


def _owners(rng: random.Random, services: tuple[str, ...]) -> dict[str, str]:
    teams = list(TEAMS)
    rng.shuffle(teams)
    return {name: teams[i % len(teams)] for i, name in enumerate(services)}


def _marks(
    rng: random.Random, situation: str, provider: str, services: tuple[str, ...]
) -> tuple[frozenset[str], frozenset[str]]:
    """Draw what is protected and what is hot; elsewhere such marks are decoys."""
    others = [name for name in services if name != provider]
    protected = {name for name in others if rng.random() < DECOY_SHARE}
    hot = {name for name in others if rng.random() < DECOY_SHARE}
    decoy = rng.random() < DECOY_SHARE
    if situation == "request_owner_approval" or (situation in SHIFTS and decoy):
        protected.add(provider)
    if situation == "canary" or (
        situation not in ("ship", "canary") and rng.random() < DECOY_SHARE
    ):
        hot.add(provider)
    return frozenset(protected), frozenset(hot)
