"""The history: one causal commit among decoys, each a real change from tree to tree."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from env_lib.envs.release.checks import sources, test_files
from env_lib.envs.release.code import Check, Constants, Read, path_of
from env_lib.envs.release.decoys import Place, decoys
from env_lib.envs.release.sketch import Sketch

if TYPE_CHECKING:
    from env_lib.envs.release.world import Commit, Size

LIVE_SHARE = 0.4
"""How often the causal commit is live where that decides nothing."""


@dataclass(frozen=True)
class Told:
    """A written history."""

    commits: tuple[Commit, ...]
    before: Mapping[str, str]
    causal: str
    untouched: str
    tests: tuple[Check, ...]
    """The unit tests that decoys brought."""


def write_history(
    rng: random.Random,
    sketch: Sketch,
    provider: str,
    services: Sequence[str],
    reads: Sequence[Read],
    settings: Mapping[str, Constants],
    checks: Sequence[Check],
    old: Sequence[Check],
    size: Size,
    situation: str,
    messages: Sequence[str],
) -> Told:
    """Write the commits, oldest first; the causal one stands anywhere but at the very start.

    `messages` are those that causal commits may have; decoys take theirs from them.
    """
    from env_lib.envs.release.world import Commit

    made = (sketch, provider, services, reads, settings)
    contracts = [c for c in checks if c.kind == "contract"]
    before = sources(*made, sketch.before, False) | test_files([*old, *contracts])
    after = test_files([c for c in checks if c.service == provider and c.kind == "unit"])
    count = rng.randint(*size.commits)
    where = Place(sketch, provider, services, settings, before, checks)
    harmless, tests = decoys(rng, where, count - 1, size.wordy)
    place = rng.randint(1, count - 1)

    def causal(tree: dict[str, str]) -> None:
        text = tree[path_of(provider)]
        for old, new in changed_rows(sketch):
            text = text.replace(old, new, 1)
        tree[path_of(provider)] = text
        tree |= {path: pair[1] for path, pair in sketch.vendor.items()}
        for path, text in after.items():  # what a decoy brought stays where it is
            tree[path] = tree[path].replace(before[path], text, 1)

    steps = [*harmless[:place], (provider, causal), *harmless[place:]]
    told = _messages(rng, [service for service, _ in steps], provider, sketch.messages, messages)
    ids = rng.sample(
        [letter + digit for letter in "abcdefghkmnprstuvwxz" for digit in "23456789"], count
    )
    live = _live(rng, situation, place, count)
    trees, tree, without = [], dict(before), dict(before)
    for number, (_, change) in enumerate(steps):
        tree = dict(tree)
        change(tree)
        if number != place:
            change(without)
        trees.append(tree)
    commits = tuple(
        Commit(ids[n], service, f"{service}: {told[n]}", trees[n], n <= live)
        for n, (service, _) in enumerate(steps)
    )
    return Told(commits, before, ids[place], without[path_of(provider)], tuple(tests))


def changed_rows(sketch: Sketch) -> list[tuple[str, str]]:
    """Return the lines of the function that the causal commit rewrites, before and after it.

    Raises:
        ValueError: it has more or fewer lines after it.
    """
    rows = [part.splitlines(keepends=True) for part in (sketch.before, sketch.head)]
    return [(old, new) for old, new in zip(*rows, strict=True) if old != new]


def _live(rng: random.Random, situation: str, place: int, count: int) -> int:
    """Return the number of the newest deployed commit."""
    is_live = situation == "rollback" or (situation != "block" and rng.random() < LIVE_SHARE)
    return rng.randint(place, count - 1) if is_live else rng.randint(0, place - 1)


def _messages(
    rng: random.Random,
    services: Sequence[str],
    provider: str,
    own: Sequence[str],
    others: Sequence[str],
) -> list[str]:
    """Return a message a commit: on the provider from its family's, in a drawn order, else any."""
    left: list[str] = []
    found = []
    for service in services:
        if service == provider and not left:
            left = rng.sample(own, len(own))
        found.append(left.pop() if service == provider else rng.choice(others))
    return found
