"""Unit tests and consumer-driven contracts, expectations taken from what the code really did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from env_lib.envs.release.brute import Repository
from env_lib.envs.release.code import (
    Check,
    Constants,
    Read,
    consumer_source,
    path_of,
    provider_source,
    test_file,
)
from env_lib.envs.release.sketch import Sketch


def functions_of(provider: str, sketch: Sketch, services: Sequence[str]) -> dict[str, str]:
    """Return the function of each service that others call."""
    return {name: sketch.function if name == provider else "view" for name in services}


def sources(
    sketch: Sketch,
    provider: str,
    services: Sequence[str],
    reads: Sequence[Read],
    settings: Mapping[str, Constants],
    body: str,
    newer: bool,
) -> dict[str, str]:
    """Return the code of every service and vendored package, before or after the change."""
    functions, tree = functions_of(provider, sketch, services), {}
    for name in services:
        own = [r for r in reads if r.consumer == name]
        tree[path_of(name)] = (
            provider_source(name, sketch, body, settings[name], sketch.imports)
            if name == provider
            else consumer_source(name, own, functions, sketch.param, settings[name])
        )
    return tree | {path: pair[newer] for path, pair in sketch.vendor.items()}


def checks_of(
    sketch: Sketch,
    provider: str,
    services: Sequence[str],
    reads: Sequence[Read],
    settings: Mapping[str, Constants],
) -> tuple[tuple[Check, ...], tuple[Check, ...]]:
    """Return the checks of the causal commit and later, and the unit tests from before it."""
    made = (sketch, provider, services, reads, settings)
    old = Repository(sources(*made, sketch.before, False))
    body = sketch.head.replace(*sketch.repair, 1)
    new = Repository(sources(*made, body, True))
    first = _unit(sketch, provider, old, 0, "old", (), f"test_{provider}_0")
    units = [
        _unit(sketch, provider, new, n, sketch.demand, sketch.also, f"test_{provider}_{n}")
        for n in (0, 1)
    ]
    if sketch.retry:
        units[1] = _flaky(sketch, provider, new, units[1].id)
    hidden = [
        _unit(sketch, provider, new, 2, sketch.demand, sketch.also, f"test_hidden_{provider}")
    ]
    others = [name for name in services if name != provider]
    rest = [check for name in others for check in _of_consumer(name, reads, sketch, old)]
    late = [Check(c.id, "hidden_unit", c.service, c.function, c.statement) for c in hidden]
    late += _safety(sketch, provider, new)
    return (*units, *late, *rest), (first, *[c for c in rest if c.kind == "unit"])


def _safety(sketch: Sketch, provider: str, repaired: Repository) -> list[Check]:
    """Return the check that an attack does what it does after the reference patch: nothing."""
    if not sketch.attack:
        return []
    answer = repaired.call(provider, sketch.function, sketch.attack)[sketch.field]
    asked = f"assert @({sketch.attack})[{sketch.field!r}] == {answer!r}"
    return [Check(f"test_safety_{provider}", "safety", provider, sketch.function, asked)]


def _unit(
    sketch: Sketch,
    provider: str,
    repository: Repository,
    number: int,
    demand: str,
    also: tuple[str, ...],
    name: str,
) -> Check:
    key = sketch.keys[number]
    answer = repository.call(provider, sketch.function, key)
    parts = [f"assert @({key})[{f!r}] == {answer[f]!r}" for f in (*also, sketch.other)]
    if demand == "any":
        parts.insert(0, f"assert {sketch.field!r} in @({key})")
    elif demand != "nothing":
        parts.insert(0, f"assert @({key})[{sketch.field!r}] == {answer[sketch.field]!r}")
    return Check(name, "unit", provider, sketch.function, "\n".join(parts))


def _flaky(sketch: Sketch, provider: str, repaired: Repository, name: str) -> Check:
    """Return a unit test of two cases: that of the second key, and on a retry that of `retry`."""
    keys = (sketch.keys[1], sketch.retry)
    cases = [f"({key}, {repaired.call(provider, sketch.function, key)!r})" for key in keys]
    asked = "given, wanted = next(CASES)\nassert @(given) == wanted"
    return Check(name, "unit", provider, sketch.function, asked, f"[{', '.join(cases)}]")


def _of_consumer(name: str, reads: Sequence[Read], sketch: Sketch, old: Repository) -> list[Check]:
    """Return a consumer's unit test, which needs no provider, and its contracts, which run it."""
    own = [r for r in reads if r.consumer == name]
    answers = [old.call(name, "view", key) for key in sketch.keys]
    if not own:
        asked = f"assert @({sketch.keys[0]}) == {answers[0]!r}"
        return [Check(f"test_{name}_0", "unit", name, "view", asked)]
    found = []
    given: list[str] = []
    wanted: dict[str, Any] = {}
    for r in own:
        given.append(repr({r.field: answers[0][r.alias]}))
        wanted[r.alias] = answers[0][r.alias]
    shaped = wanted | {"tag": name}
    found.append(
        Check(
            f"test_{name}_0", "unit", name, "shape", f"assert @({', '.join(given)}) == {shaped!r}"
        )
    )
    for r in own:
        for kind, numbers in (("contract", (1,)), ("hidden", (2, 3))):
            lines = [_expectation(r, sketch.keys[n], answers[n][r.alias]) for n in numbers]
            prefix = "test_contract" if kind == "contract" else "test_hidden"
            label = f"{prefix}_{name}_{r.provider}"
            found.append(Check(label, kind, name, "view", "\n".join(lines)))
    return found


def _expectation(r: Read, key: str, value: Any) -> str:
    call = f"@({key})[{r.alias!r}]"
    return f"assert {call} == {value!r}" if r.exact else f"assert {call} is not None"


def test_files(checks: Sequence[Check]) -> dict[str, str]:
    """Return the visible test files: path -> text."""
    files: dict[str, str] = {}
    for kind, folder in (("unit", "tests"), ("contract", "contracts")):
        for service in dict.fromkeys(c.service for c in checks if c.kind == kind):
            own = [c for c in checks if c.service == service and c.kind == kind]
            files[f"{folder}/{service}.py"] = test_file(own, service)
    return files
