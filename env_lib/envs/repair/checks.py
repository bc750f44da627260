"""`validate repair`: every function and task is what it should be, shown by running the tests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import get_args

from env_lib.envs.repair import corpus
from env_lib.envs.repair.env import RepairAction
from env_lib.envs.repair.runner import Report, run_all

RUNS = 3
"""Runs of each pair of code and tests that must agree."""
POOL_SAMPLE = 60
"""Mutants of the pool that are run again; they are spread evenly over it."""
METADATA = ("id", "title", "bug_type", "kind", "function", "difficulty", "allowed_actions")

Job = tuple[str, str, str, bool]
"""(what is checked, source, tests, whether all should pass)."""


def faults(workers: int = 2) -> list[str]:
    """Return one line a fault, naming file and reason; none where all is well."""
    found = list(_metadata())
    jobs = [*_functions(), *_named(), *_pool()]
    runs = [
        run_all([(source, tests) for _, source, tests, _ in jobs], workers) for _ in range(RUNS)
    ]
    for i, (what, _, _, should_pass) in enumerate(jobs):
        found += _judged(what, [reports[i] for reports in runs], should_pass)
    return found


def _judged(what: str, reports: Sequence[Report], should_pass: bool) -> Iterator[str]:
    first = reports[0]
    if any(report != first for report in reports):
        yield f"{what}: flaky, {RUNS} runs do not agree"
    elif should_pass and not first.all_passed:
        name, message = first.failed[0] if first.failed else (first.error, first.message)
        yield f"{what}: should pass, {name} fails: {message}"
    elif not should_pass and first.all_passed:
        yield f"{what}: should fail, all {first.total} tests pass"


def _metadata() -> Iterator[str]:
    kinds = set(get_args(RepairAction.model_fields["action_type"].annotation))
    for place in sorted(p for p in (corpus.folder() / "tasks").iterdir() if p.is_dir()):
        where = f"tasks/{place.name}/metadata.json"
        try:
            told = json.loads((place / "metadata.json").read_text("utf-8"))
        except (OSError, ValueError) as error:
            yield f"{where}: {error}"
            continue
        missing = [name for name in METADATA if name not in told]
        if missing:
            yield f"{where}: {', '.join(missing)} missing"
            continue
        unknown = sorted(set(told["allowed_actions"]) - kinds)
        if unknown:
            yield f"{where}: unknown action {unknown[0]!r}; known: {', '.join(sorted(kinds))}"


def _functions() -> Iterator[Job]:
    for name, home in corpus.functions().items():
        yield f"functions/{name}/tests.py on solution.py", home.source, home.tests, True
        yield f"functions/{name}/hidden_tests.py on solution.py", home.source, home.hidden, True


def _named() -> Iterator[Job]:
    for name, task in corpus.named_tasks().items():
        for part, tests in (("tests", task.tests), ("hidden_tests", task.hidden)):
            yield f"tasks/{name}/{part}.py on fixed.py", task.reference, tests, True
            yield f"tasks/{name}/{part}.py on buggy.py", task.source, tests, False


def _pool() -> Iterator[Job]:
    rows = [
        task for split in corpus.SPLITS for n in corpus.ORDERS for task in corpus.pool(split, n)
    ]
    for task in rows[:: max(1, len(rows) // POOL_SAMPLE)]:
        for part, tests in (("tests", task.tests), ("hidden tests", task.frozen_hidden())):
            yield f"pool.jsonl, {task.id} ({task.function}), {part}", task.source, tests, False
