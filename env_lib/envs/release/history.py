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
TESTED_SHARE = 0.5
"""How often a further decoy on the provider touches its test file too; the first one always."""
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
    decoys = _decoys(rng, count - 1, sketch, provider, services, settings, size.wordy)
    place = rng.randint(1, count - 1)

    def causal(tree: dict[str, str]) -> None:
        tree[path_of(provider)] = tree[path_of(provider)].replace(sketch.before, sketch.head, 1)
        tree |= {path: pair[1] for path, pair in sketch.vendor.items()}
        for path, text in after.items():  # a decoy's remark stays where it is
            tree[path] = tree[path].replace(before[path], text, 1)

    steps = [*decoys[:place], (provider, causal), *decoys[place:]]
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
    return Told(commits, before, ids[place], without[path_of(provider)])


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


def _decoys(
    rng: random.Random,
    count: int,
    sketch: Sketch,
    provider: str,
    services: Sequence[str],
    settings: Mapping[str, Constants],
    wordy: bool,
) -> list[tuple[str, Change]]:
    """Return harmless commits: the first touches the provider, the second speaks of the field."""
    others = [name for name in services if name != provider]
    targets = [provider, rng.choice(others), *(rng.choice(services) for _ in range(count))]
    if wordy:
        targets[2] = provider
    kinds = ["setting", "note"] + [rng.choice(("setting", "note")) for _ in range(count)]
    if wordy:
        kinds[2] = "label"
    wanted = [*zip(targets, kinds, strict=True)]
    wanted += [(service, kind) for service in services for kind in ("setting", "note", "label")]
    chosen = list(dict.fromkeys(wanted))[:count]
    made = [(s, _decoy(rng, kind, s, sketch, settings[s])) for s, kind in chosen]
    tested = False
    for number, (service, change) in enumerate(made):
        if service == provider and (not tested or rng.random() < TESTED_SHARE):
            made[number], tested = (provider, _with_test(rng, provider, change)), True
    rng.shuffle(made)
    return made


def _decoy(rng: random.Random, kind: str, service: str, sketch: Sketch, c: Constants) -> Change:
    if kind == "label":
        old, new = f'return "{service}:" + REGION', f'return f"{service}:{{REGION}}"'
    elif kind == "note":
        old, new = "def label():", f"# {sketch.field}: {rng.choice(NOTES)}\ndef label():"
    else:
        name, value = rng.choice((("TRIES", c.tries), ("BATCH", c.batch)))
        old, new = f"{name} = {value}\n", f"{name} = {value + rng.randint(1, 9)}\n"
    return _replacing(path_of(service), old, new)


def _replacing(path: str, old: str, new: str) -> Change:
    def change(tree: dict[str, str]) -> None:
        tree[path] = tree[path].replace(old, new, 1)

    return change


def _with_test(rng: random.Random, service: str, change: Change) -> Change:
    """Return a change that also leaves a remark in the service's test file."""
    path, remark = f"tests/{service}.py", f"# {rng.choice(REMARKS)}\n"

    def both(tree: dict[str, str]) -> None:
        change(tree)
        tree[path] = remark + tree[path]

    return both


NOTES = ("as agreed with readers", "see the guide", "ask the owner first", "kept for reports")
REMARKS = ("one case a test", "inputs as in the guide", "kept small", "no network in here")
