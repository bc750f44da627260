"""The history: one causal commit among decoys, each a real change from tree to tree."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from env_lib.envs.release.checks import sources, test_files
from env_lib.envs.release.code import Check, Constants, Read, path_of
from env_lib.envs.release.sketch import Sketch

if TYPE_CHECKING:
    from env_lib.envs.release.world import Commit, Size

LIVE_SHARE = 0.4
"""How often the causal commit is live where that decides nothing."""
Change = Callable[[dict[str, str]], None]


@dataclass(frozen=True)
class Told:
    """A written history."""

    commits: tuple[Commit, ...]
    before: Mapping[str, str]
    causal: str
    untouched: str


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
) -> Told:
    """Write the commits, oldest first; the causal one stands anywhere but at the very start."""
    from env_lib.envs.release.world import Commit

    made = (sketch, provider, services, reads, settings)
    contracts = [c for c in checks if c.kind == "contract"]
    before = sources(*made, sketch.before, False) | test_files([*old, *contracts])
    count = rng.randint(*size.commits)
    steps = _decoys(rng, count - 1, sketch, provider, services, settings, size.wordy)
    place = rng.randint(1, count - 1)

    def causal(tree: dict[str, str]) -> None:
        tree[path_of(provider)] = tree[path_of(provider)].replace(sketch.before, sketch.head, 1)
        tree |= {path: pair[1] for path, pair in sketch.vendor.items()}
        tree |= test_files([c for c in checks if c.service == provider and c.kind == "unit"])

    steps.insert(place, (provider, f"{provider}: {sketch.message}", causal))
    ids = rng.sample(
        [letter + digit for letter in "abcdefghkmnprstuvwxz" for digit in "23456789"], count
    )
    live = _live(rng, situation, place, count)
    trees, tree, without = [], dict(before), dict(before)
    for number, (_, _, change) in enumerate(steps):
        tree = dict(tree)
        change(tree)
        if number != place:
            change(without)
        trees.append(tree)
    commits = tuple(
        Commit(ids[n], service, message, trees[n], n <= live)
        for n, (service, message, _) in enumerate(steps)
    )
    return Told(commits, before, ids[place], without[path_of(provider)])


def _live(rng: random.Random, situation: str, place: int, count: int) -> int:
    """Return the number of the newest deployed commit."""
    is_live = situation == "rollback" or (situation != "block" and rng.random() < LIVE_SHARE)
    return rng.randint(place, count - 1) if is_live else rng.randint(0, place - 1)


def _decoys(
    rng: random.Random,
    count: int,
    sketch: Sketch,
    provider: str,
    services: Sequence[str],
    settings: Mapping[str, Constants],
    wordy: bool,
) -> list[tuple[str, str, Change]]:
    """Return harmless commits: the first touches the provider, the second speaks of the field."""
    others = [name for name in services if name != provider]
    targets = [provider, rng.choice(others), *(rng.choice(services) for _ in range(count))]
    if wordy:
        targets[2] = provider
    kinds = ["setting", "note"] + [rng.choice(("setting", "note")) for _ in range(count)]
    if wordy:
        kinds[2] = "label"
    made: list[tuple[str, str, Change]] = []
    used: set[tuple[str, str]] = set()
    for service, kind in zip(targets, kinds, strict=True):
        if len(made) < count and (service, kind) not in used:
            used.add((service, kind))
            made.append(_decoy(rng, kind, service, sketch, settings[service]))
    for service in services:
        for kind in ("setting", "note", "label"):
            if len(made) < count and (service, kind) not in used:
                used.add((service, kind))
                made.append(_decoy(rng, kind, service, sketch, settings[service]))
    rng.shuffle(made)
    return made


def _decoy(
    rng: random.Random, kind: str, service: str, sketch: Sketch, c: Constants
) -> tuple[str, str, Change]:
    path = path_of(service)
    if kind == "label":
        old, new = f'return "{service}:" + REGION', f'return f"{service}:{{REGION}}"'
        message = rng.choice(("simpler label", "f-string for the label"))
    elif kind == "note":
        old, new = "def label():", f"# {sketch.field}: {rng.choice(NOTES)}\ndef label():"
        message = rng.choice((f"note on {sketch.field}", f"explain {sketch.field}"))
    else:
        name, value = rng.choice((("TRIES", c.tries), ("BATCH", c.batch)))
        old, new = f"{name} = {value}\n", f"{name} = {value + rng.randint(1, 9)}\n"
        message = rng.choice((f"tune {name} for slow links", f"raise {name}"))

    def change(tree: dict[str, str]) -> None:
        tree[path] = tree[path].replace(old, new, 1)

    return service, f"{service}: {message}", change


NOTES = ("as agreed with readers", "see the guide", "ask the owner first", "kept for reports")
