"""Decoys: commits that look like a cause and change nothing that anybody reads.

Two at least, one of them on the changed service, rewrite code: a parameter with a default, a guard,
the fields of an answer in another order, another spelling. The first on the changed service brings
a unit test too, which is run with all others. The rest are settings and comments.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from env_lib.envs.release.brute import Repository
from env_lib.envs.release.code import Check, Constants, path_of, test_text
from env_lib.envs.release.sketch import Sketch

TESTED_SHARE = 0.5
"""How often a further decoy in code touches its service's test file too."""
CODE = ("default", "guard", "order", "label")
PLAIN = ("setting", "note")
DEFAULTS = ("tries=TRIES", "batch=BATCH", "strict=False", "region=REGION")
NOTES = ("as agreed with readers", "see the guide", "ask the owner first", "kept for reports")
REMARKS = ("one case a test", "inputs as in the guide", "kept small", "no network in here")
Change = Callable[[dict[str, str]], None]
Step = tuple[str, Change]
"""(service, what the commit does to a tree)."""


@dataclass(frozen=True)
class Place:
    """What decoys are drawn from."""

    sketch: Sketch
    provider: str
    services: Sequence[str]
    settings: Mapping[str, Constants]
    before: Mapping[str, str]
    """The tree before the first commit."""
    checks: Sequence[Check]


def decoys(
    rng: random.Random, place: Place, count: int, wordy: bool
) -> tuple[list[Step], list[Check]]:
    """Return harmless commits in a drawn order, and the unit tests that they bring.

    Code of the provider, code of another service, a comment on the changed field, then anything;
    where `wordy`, a second one on the provider's code before that.
    """
    others = [name for name in place.services if name != place.provider]
    own = rng.sample(_rewrites(place, place.provider), 2 if wordy else 1)
    wanted = [(place.provider, own[0]), (rng.choice(others), rng.choice(CODE))]
    wanted += [(rng.choice(others), "note"), *((place.provider, kind) for kind in own[1:])]
    for _ in range(count):
        name = rng.choice(place.services)
        wanted.append((name, rng.choice((*_rewrites(place, name), *PLAIN, *PLAIN))))
    wanted += [(name, kind) for name in place.services for kind in PLAIN]
    made: list[Step] = []
    tests: dict[str, Check] = {}
    for name, kind in dict.fromkeys(wanted):
        if len(made) == count:
            break
        change = _decoy(rng, place, kind, name)
        first = name == place.provider and name not in tests
        if first or (kind in CODE and rng.random() < TESTED_SHARE):
            change = _with_test(rng, place, name, change, tests)
        made.append((name, change))
    rng.shuffle(made)
    return made, list(tests.values())


def _rewrites(place: Place, service: str) -> list[str]:
    """Return the rewritings of a service's code that the causal commit leaves room for."""
    last = place.sketch.before.splitlines()[-1]
    taken = service == place.provider and last not in place.sketch.head.splitlines()
    return [kind for kind in CODE if kind != "order" or not taken]


def _decoy(rng: random.Random, place: Place, kind: str, service: str) -> Change:
    path, own = path_of(service), service == place.provider
    function, param = place.sketch.function if own else "view", place.sketch.param
    head = f"def {function}({param}"
    if kind == "default":
        return _replacing(path, head, f"{head}, {rng.choice(DEFAULTS)}")
    if kind == "guard":
        raised = f'    if {param} is None:\n        raise ValueError("no {param}")\n'
        return _replacing(path, rf"({re.escape(head)}.*\n)", rf"\g<1>{raised}", plain=False)
    if kind == "order":
        field = place.sketch.other if own else "tag"
        wanted = rf'return {{(.*), ("{field}": .*)}}'
        return _replacing(path, wanted, r"return {\g<2>, \g<1>}", plain=False)
    if kind == "label":
        return _replacing(path, f'"{service}:" + REGION', f'f"{service}:{{REGION}}"')
    if kind == "note":
        note = f"# {place.sketch.field}: {rng.choice(NOTES)}\n"
        return _replacing(path, "def label():", f"{note}def label():")
    c = place.settings[service]
    name, value = rng.choice((("TRIES", c.tries), ("BATCH", c.batch)))
    return _replacing(path, f"{name} = {value}\n", f"{name} = {value + rng.randint(1, 9)}\n")


def _replacing(path: str, old: str, new: str, *, plain: bool = True) -> Change:
    def change(tree: dict[str, str]) -> None:
        text = tree[path]
        tree[path] = text.replace(old, new, 1) if plain else re.sub(old, new, text, count=1)

    return change


def _with_test(
    rng: random.Random, place: Place, service: str, change: Change, tests: dict[str, Check]
) -> Change:
    """Return a change that also brings a unit test; a remark, where its service has it already."""
    path, remark = f"tests/{service}.py", f"# {rng.choice(REMARKS)}\n"
    added = ""
    if service not in tests:
        tests[service] = _test(place, service)
        added = f"\n\n{test_text(tests[service])}\n"

    def both(tree: dict[str, str]) -> None:
        change(tree)
        tree[path] = tree[path] + added if added else remark + tree[path]

    return both


def _test(place: Place, service: str) -> Check:
    """Return a test of what the change does not touch."""
    sketch = place.sketch
    if service == place.provider:
        key, field = sketch.keys[1], sketch.other
        answer = Repository(place.before).call(service, sketch.function, key)[field]
        name, function = f"test_{service}_{field}", sketch.function
        return Check(name, "unit", service, function, f"assert @({key})[{field!r}] == {answer!r}")
    known = next(c for c in place.checks if c.service == service and c.kind == "unit")
    asked = f"{known.statement.partition(' == ')[0]}['tag'] == {service!r}"
    return Check(f"test_{service}_tag", "unit", service, known.function, asked)
