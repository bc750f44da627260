"""Makes tasks and keeps those that running proves: broken as given, mended by their repairs.

Nothing is taken on trust: the broken script fails on the visible input (a silent one returns
another value), the repairs lead from it to the reference, and the reference returns on all three
inputs what the healthy script returned.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from env_lib.envs.drift import aging, corpus, invent, rows, splits
from env_lib.envs.drift.breakages import Breakage, kind_of, repairable
from env_lib.envs.drift.judge import same
from env_lib.envs.drift.overlays import FOREVER
from env_lib.envs.drift.primitives import PrimitiveError, apply, inverse
from env_lib.envs.drift.records import Change, Overlay, Script, Task
from env_lib.envs.drift.runner import run
from env_lib.envs.drift.undoing import fitting, plainly, sayable

REPAIRS_AT_MOST = 3
"""Attempts of an episode."""


def task_id(tier: str, source: str, overlay: Overlay) -> str:
    """Return a name that tells nothing of the breakage."""
    text = json.dumps([source, [vars(change) for change in overlay.changes]])
    return f"{tier.lower()}-{hashlib.sha256(text.encode()).hexdigest()[:10]}"


@lru_cache(maxsize=4096)
def _expected(source: str, inputs: str) -> tuple[object, ...]:
    report = run(source, json.loads(inputs), Overlay())
    return report.values if report.ok else ()


def expected(source: str, inputs: tuple[object, ...]) -> tuple[object, ...]:
    """Return what a healthy script returns on each input, () where it fails."""
    return _expected(source, json.dumps(list(inputs)))


def verified(task: Task) -> Task | None:
    """Return the task with its reference and ordered repairs; None where running refutes it."""
    if not 0 < len(task.repairs) <= REPAIRS_AT_MOST:
        return None
    if not all(map(sayable, task.repairs)):
        return None
    wanted = task.expected
    if len(wanted) != corpus.INPUTS or all(same(one, wanted[0]) for one in wanted[1:]):
        return None
    made = _ordered(task)
    if made is None:
        return None
    broken = run(made.source, made.inputs[:1], made.overlay)
    if broken.error_type in (*FOREVER, "overlay"):
        return None
    if broken.ok != made.silent or (broken.ok and same(broken.values[0], wanted[0])):
        return None
    mended = run(made.reference, made.inputs, made.overlay)
    right = mended.ok and all(map(same, mended.values, wanted))
    return made if right else None


def _ordered(task: Task) -> Task | None:
    """Return the task with its repairs in the order of their lines, and its reference."""
    as_given = _applied(task.source, task.repairs)
    if as_given is None:
        return None
    order = sorted(task.repairs, key=lambda change: _line(task.source, change))
    sorted_too = _applied(task.source, order)
    repairs = tuple(order) if sorted_too == as_given else task.repairs
    return replace(task, repairs=repairs, reference=as_given)


def _applied(source: str, repairs: Iterable[Change]) -> str | None:
    try:
        for change in repairs:
            source = apply(source, change)
    except PrimitiveError:
        return None
    return source


def _line(source: str, change: Change) -> int:
    """Return the first line that a repair changes, 0 for one that needs another before it."""
    made = _applied(source, (change,))
    if made is None:
        return len(source)
    pairs = zip(source.split("\n"), made.split("\n"), strict=False)
    return next((n for n, (one, two) in enumerate(pairs) if one != two), len(source))


def broken_by(row: Breakage, source: str, inputs: tuple[object, ...], healthy: str) -> bool:
    """Whether a script fails as a row says: with its error, or with another value where silent."""
    report = run(source, inputs[:1], Overlay())
    if not row.silent:
        return not report.ok and report.error_type == row.error_type
    return report.ok and not same(report.values[0], expected(healthy, inputs)[0])


def _real(row: Breakage, split: str, script: Script, aged: aging.Aged) -> Task:
    return Task(
        id=task_id("D4" if row.silent else "D1", aged.source, Overlay()),
        script=script.name,
        library=row.library,
        split=split,
        kind=row.kind,
        silent=row.silent,
        source=aged.source,
        reference="",
        overlay=Overlay(),
        repairs=aged.repairs,
        breakages=(row.id,),
        inputs=script.inputs,
        expected=expected(script.source, script.inputs),
        tier="D4" if row.silent else "D1",
    )


def woven(split: str) -> Iterator[tuple[Task, aging.Aged]]:
    """Yield each row woven into each seed script of its split that uses what it changed."""
    for row in repairable():
        if splits.split_of(row) != split:
            continue
        for name, script in corpus.scripts().items():
            at_home = corpus.split_of(name) in splits.home_of(split)
            if not at_home or row.library not in script.libraries:
                continue
            for aged in aging.aged(script, row):
                if broken_by(row, aged.source, script.inputs, script.source):
                    task = verified(_real(row, split, script, aged))
                    if task is not None:
                        yield task, aged
                        break


def alone(split: str) -> Iterator[Task]:
    """Yield rows as scripts of their own."""
    for row in repairable():
        if splits.split_of(row) != split:
            continue
        for old, new, inputs, text in rows.forms(row):
            hint = tuple(
                replace(c, old=_lifted(c.old, text), new=_lifted(c.new, text))
                for c in aging.forwards(row)
            )
            repairs = hint and fitting(old, new, tuple(plainly(old, new, list(hint))))
            if not repairs or not expected(new, inputs) or not broken_by(row, old, inputs, new):
                continue
            script = Script(f"row-{row.id}", row.library, (row.library,), new, inputs)
            task = repairs and verified(_real(row, split, script, aging.Aged(old, (), repairs)))
            if task:
                yield task
                break


def _lifted(code: str, text: str) -> str:
    """Return a change's code with the value that became an input put in its place."""
    return re.sub(rf"(?<![\w.]){re.escape(text)}(?![\w.])", "inputs['value']", code)


def several(split: str, known: list[tuple[Task, aging.Aged]], rng: random.Random) -> Iterator[Task]:
    """Yield two or three rows woven into one script, in random order."""
    by_script: dict[str, list[tuple[Task, aging.Aged]]] = {}
    for task, aged in known:
        if not task.silent:
            by_script.setdefault(task.script, []).append((task, aged))
    sets = [
        chosen
        for many in by_script.values()
        for count in (2, 3)
        for chosen in itertools.combinations(many, count)
        if sum(len(task.repairs) for task, _ in chosen) <= REPAIRS_AT_MOST
    ]
    rng.shuffle(sets)
    for chosen in sets:
        first = chosen[0][0]
        script = corpus.scripts()[first.script]
        changes = tuple(change for _, aged in chosen for change in aged.changes)
        made = aging.written(script.source, changes, tries=0)
        if made is None or len(made.repairs) < 2:
            continue
        rows_of = tuple(row for task, _ in chosen for row in task.breakages)
        proved = verified(
            replace(
                first,
                kind=kind_of(rows_of),
                id=task_id("D2", made.source, Overlay()),
                tier="D2",
                source=made.source,
                repairs=made.repairs,
                breakages=rows_of,
            )
        )
        if proved is not None:
            yield proved


def drifted(split: str, silent: bool, rng: random.Random) -> Iterator[Task]:
    """Yield seed scripts under overlays, scripts in turn: invented names, or changed defaults."""
    named = {n: s for n, s in corpus.scripts().items() if corpus.split_of(n) == split}
    offers = [
        _offers(script, split, silent, random.Random(f"{rng.random()} {name}"))
        for name, script in named.items()
    ]
    for turn in itertools.zip_longest(*offers):
        yield from (task for task in turn if task is not None)


def _offers(script: Script, split: str, silent: bool, rng: random.Random) -> Iterator[Task]:
    found = list(invent.defaults(script.source)) if silent else invent.names(script.source, rng)
    good: list[tuple[Change, str]] = []
    apart = _in_train(silent) if split.startswith("test") else frozenset()
    for change, was in found:
        if (change.target, change.old) in apart:
            continue
        if split == "test_ood" and not change.target.startswith(f"{splits.UNSEEN}."):
            continue
        task = verified_overlay(script, split, silent, ((change, was),))
        if task is not None:
            good.append((change, was))
            yield task
    if silent:
        for pair in itertools.combinations(good, 2):
            task = verified_overlay(script, split, silent, pair)
            if task is not None:
                yield task


@lru_cache(maxsize=2)
def _in_train(silent: bool) -> frozenset[tuple[str, str]]:
    """Return (target, word) of the drifts that scripts of train offer: tests take others."""
    sources = [s.source for n, s in corpus.scripts().items() if corpus.split_of(n) == "train"]
    offers = [
        change
        for source in sources
        for change, _ in (
            invent.defaults(source) if silent else invent.names(source, random.Random(0))
        )
    ]
    return frozenset((change.target, change.old) for change in offers)


def verified_overlay(
    script: Script, split: str, silent: bool, drift: tuple[tuple[Change, str], ...]
) -> Task | None:
    """Return the task of an overlay on a seed script; None where it is none."""
    changes = tuple(change for change, _ in drift)
    try:
        repairs = tuple(inverse(change, was) for change, was in drift)
    except PrimitiveError:
        return None
    root = changes[0].target.partition(".")[0]
    overlay, tier = Overlay(changes), "D4" if silent else "D3"
    return verified(
        Task(
            id=task_id(tier, script.source, overlay),
            script=script.name,
            library=corpus.PACKAGES.get(root, root),
            split=split,
            kind=changes[0].primitive,
            silent=silent,
            source=script.source,
            reference="",
            overlay=overlay,
            repairs=repairs,
            breakages=(),
            inputs=script.inputs,
            expected=expected(script.source, script.inputs),
            tier=tier,
        )
    )
