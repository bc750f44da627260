"""What an attempt was worth: the run's value and work against those of the reference.

The reward rests on the visible input alone; the two further inputs, the undrifted library and the
use of the current interface judge an episode and are never trained on. One thing of the further
inputs enters the reward: an answer that is right on the visible input and known by heart.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from env_lib.envs.drift.forbidden import reaches
from env_lib.envs.drift.records import Overlay, Task
from env_lib.envs.drift.usage import old_form_is_gone

if TYPE_CHECKING:
    from env_lib.envs.drift.runner import Report

WORK = 0.5
"""Share of the reference's library calls that a right repair makes at least."""
CURRENT = 0.75
"""Share of them that a repair makes which uses the current interface; the old form is gone."""
SHOWN_AT_MOST = 3


@dataclass(frozen=True)
class Verdict:
    """What is known of a script that was run on the visible input."""

    report: Report
    right: bool
    """It ran through, the value is right and the work was done."""
    by_heart: str = ""
    """How it knows the visible answer without working it out; "" where it does not."""


def run(source: str, inputs: tuple[Any, ...], overlay: Overlay) -> Report:
    """Run a script; see `runner`. Comments behind its last line are left out: they do nothing."""
    from env_lib.envs.drift.runner import run

    lines = source.rstrip().splitlines()
    while lines and (not lines[-1].strip() or lines[-1].startswith("#")):
        lines.pop()
    return run("\n".join(lines) + "\n", inputs, overlay)


def same(one: Any, other: Any) -> bool:
    """Whether two values are the same as JSON."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def _work_share(report: Report, task: Task) -> float:
    wanted = set(run(task.reference, task.inputs[:1], task.overlay).work)
    return len(wanted & set(report.work)) / len(wanted) if wanted else 1.0


def seen(task: Task, source: str) -> Verdict:
    """Run a script on the visible input and say whether it is right."""
    report = run(source, task.inputs[:1], task.overlay)
    right = report.ok and same(report.values[0], task.expected[0])
    if not right:
        return Verdict(report, False)
    if _work_share(report, task) < WORK:
        return Verdict(report, False, "the answer without the work")
    heart = _by_heart(task, source)
    return Verdict(report, not heart, heart)


def _by_heart(task: Task, source: str) -> str:
    """Say how a script that is right on the visible input fits it alone."""
    values = run(source, task.inputs[1:], task.overlay).values
    further = task.expected[1:]
    if all(same(got, wanted) for got, wanted in zip(values, further, strict=False)):
        return ""
    first = task.expected[0]
    if any(
        same(got, first) and not same(first, want)
        for got, want in zip(values, further, strict=False)
    ):
        return "the same answer whatever is asked"
    known = _literals(task.source) | _literals(task.reference)
    fitted = (_literals(source) - known) & {_text(part) for part in _parts([first, task.inputs[0]])}
    return f"an answer known by heart: {min(fitted)}" if fitted else ""


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True, default=str)


def _parts(value: Any) -> Iterator[Any]:
    """Yield a value and what is in it, but for the smallest that say nothing."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    if inner or len(_text(value)) > 2:
        yield value
    for part in inner:
        yield from _parts(part)


@lru_cache(maxsize=1024)
def _literals(source: str) -> frozenset[str]:
    found = set()
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return frozenset()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant | ast.List | ast.Tuple | ast.Dict):
            try:
                found.add(_text(ast.literal_eval(node)))
            except (ValueError, TypeError):
                continue
    return frozenset(found)


def differs(got: Any, wanted: Any, where: str = "result") -> Iterator[tuple[str, Any, Any]]:
    """Yield (where, what came, what should have) of each leaf that differs."""
    if isinstance(got, dict) and isinstance(wanted, dict):
        for key in dict.fromkeys([*wanted, *got]):
            path = f"{where}.{key}" if where != "result" else str(key)
            yield from differs(got.get(key), wanted.get(key), path)
    elif not same(got, wanted):
        yield where, got, wanted


def shown_difference(task: Task, report: Report) -> tuple[tuple[str, Any, Any], ...]:
    """Return the first differences of a script that ran to its end, () of one that did not."""
    if not report.ok:
        return ()
    return tuple(differs(report.values[0], task.expected[0]))[:SHOWN_AT_MOST]


def worse(before: Report, after: Report, old: str, new: str) -> bool:
    """Whether an edit that failed is taken back: the run fails earlier, or for what it brought."""
    if after.ok:
        return False
    if before.ok or after.error_type in ("timeout", "crash", "protocol", "SyntaxError"):
        return True
    if 0 < after.line < before.line:
        return True
    brought = _words(new) - _words(old)
    return bool(brought & _words(after.message))


def _words(text: str) -> set[str]:
    import re

    return set(re.findall(r"[A-Za-z_]\w*", text))


@lru_cache(maxsize=512)
def held_out(task: Task, source: str) -> dict[str, float]:
    """Judge the last script: never trained on."""
    verdict = seen(task, source)
    rest = run(source, task.inputs[1:], task.overlay) if verdict.right else None
    free = False
    if rest is not None and rest.ok:
        pairs = zip(rest.values, task.expected[1:], strict=True)
        free = all(same(got, wanted) for got, wanted in pairs)
    current = (
        verdict.right
        and old_form_is_gone(task, source)
        and not reaches(source, task.source, task.reference)
        and _work_share(verdict.report, task) >= CURRENT
    )
    judged = {
        "visible_solved": float(verdict.right),
        "regression_free": float(free),
        "current_api": float(current),
        "solved": float(free and current),
    }
    if task.overlay.changes and _valid_undrifted(task):
        plain = run(source, task.inputs, Overlay())
        kept = plain.ok and all(map(same, plain.values, task.expected))
        judged["undrifted"] = float(verdict.right and kept)
    return judged


@lru_cache(maxsize=512)
def _valid_undrifted(task: Task) -> bool:
    """Whether the reference is right under the library as it was before the overlay."""
    plain = run(task.reference, task.inputs, Overlay())
    return plain.ok and all(map(same, plain.values, task.expected))
