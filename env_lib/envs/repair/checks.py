"""`validate repair`: every function and task is what it should be, shown by running the tests.

Functions and named tasks are all run, and so is the contradiction that makes tasks of a function
impossible; of the pool, which was verified when it was made, an even sample of about `POOL_SAMPLE`
mutants. Runs fix the seed of `random` and of hashes: what shows as flaky depends on time alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, get_args

from env_lib.envs.repair import corpus
from env_lib.envs.repair.action import RepairAction
from env_lib.envs.repair.freeze import FreezeError, frozen
from env_lib.envs.repair.impossible import contradicting, impossible
from env_lib.envs.repair.kinds import MutationKind
from env_lib.envs.repair.literals import parsed
from env_lib.envs.repair.runner import MODULE, Report, run_all

RUNS = 3
"""Runs of each pair of code and tests that must agree."""
POOL_SAMPLE = 60
"""Mutants of the pool that are run again; they are spread evenly over it."""
METADATA = (
    "id", "title", "bug_type", "kind", "function", "difficulty", "entry_module", "allowed_actions",
    "repair",
)  # fmt: skip
DIFFICULTIES = ("easy", "medium")

Job = tuple[str, str, str, bool]
"""(file and function that are checked, source, tests, whether all should pass)."""


def faults(workers: int = 2) -> list[str]:
    """Return one line a fault, naming file, function and reason; none where all is well.

    Where metadata are at fault nothing is run: the tasks could not be read. Hidden tests of tasks
    are run as episodes run them, with their inputs drawn.
    """
    found = list(metadata_faults(corpus.folder()))
    if found:
        return found
    try:
        planned = [*_functions(), *_named(), *_pool()]
    except corpus.CorpusError as error:
        return [str(error)]
    found = list(dict.fromkeys(fault for fault in planned if isinstance(fault, str)))
    jobs = [job for job in planned if not isinstance(job, str)]
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
    elif not should_pass and first.error in ("syntax", "import"):
        yield f"{what}: should fail its tests, but cannot be imported: {first.message}"
    elif not should_pass and first.all_passed:
        yield f"{what}: should fail, all {first.total} tests pass"


def metadata_faults(home: Path) -> Iterator[str]:
    """Yield what is wrong with the metadata of the named tasks under `home`."""
    for place in sorted(p for p in (home / "tasks").iterdir() if p.is_dir()):
        where = f"tasks/{place.name}/metadata.json"
        try:
            told = json.loads((place / "metadata.json").read_text("utf-8"))
        except (OSError, ValueError) as error:
            yield f"{where}: {error}"
            continue
        if not isinstance(told, dict):
            yield f"{where}: holds a {type(told).__name__}; one object is needed"
            continue
        missing = [name for name in METADATA if name not in told]
        if missing:
            yield f"{where}: {', '.join(missing)} missing"
            continue
        yield from (f"{where}: {wrong}" for wrong in _wrong(told, place))
        if not _text(place / "README.md").strip():
            yield f"tasks/{place.name}/README.md is missing or empty"


def _wrong(told: dict[str, Any], place: Path) -> Iterator[str]:
    """Yield what is wrong with the values of one task's metadata."""
    actions = get_args(RepairAction.model_fields["action_type"].annotation)
    known = {
        "kind": [*MutationKind],
        "difficulty": DIFFICULTIES,
        "id": [place.name],
        "entry_module": [MODULE.removesuffix(".py")],
    }
    for name, values in known.items():
        if told[name] not in values:
            yield f"{name} is {told[name]!r}; known: {', '.join(values)}"
    kind = str(told["bug_type"])
    if not kind.isidentifier():
        yield f"bug_type is {kind!r}; one word with underscores is needed"
    allowed = told["allowed_actions"]
    unknown = [a for a in allowed if a not in actions] if isinstance(allowed, list) else [allowed]
    if allowed == []:
        yield f"allowed_actions is empty; known: {', '.join(sorted(actions))}"
    if unknown:
        yield f"unknown action {unknown[0]!r}; known: {', '.join(sorted(actions))}"
    for name in ("title", "repair"):
        if not (isinstance(told[name], str) and told[name].strip()):
            yield f"{name} is {told[name]!r}; a few words are needed"
    if f"def {told['function']}(" not in _text(place / "fixed.py"):
        yield f"function is {told['function']!r}; fixed.py defines none of that name"


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


def _drawn(where: str, hidden: str, reference: str) -> tuple[str, str]:
    """Return (hidden tests with their inputs drawn, what is wrong with them or "")."""
    try:
        return frozen(hidden, reference), ""
    except FreezeError as error:
        return "", f"{where}: {error}"


def _functions() -> Iterator[Job | str]:
    for name, home in corpus.functions().items():
        yield f"functions/{name}/tests.py on solution.py", home.source, home.tests, True
        hidden = f"functions/{name}/hidden_tests.py on solution.py"
        _, fault = _drawn(hidden, home.hidden, home.source)
        yield fault or (hidden, home.source, home.hidden, True)
        twin = contradicting(home.tests) if parsed(home.tests) else None
        if twin is not None:
            yield f"functions/{name}, contradicting tests on solution.py", home.source, twin, False


def _named() -> Iterator[Job | str]:
    for name, task in corpus.named_tasks().items():
        head, on = f"tasks/{name}", f"({task.function}) on"
        yield f"{head}/tests.py {on} fixed.py", task.reference, task.tests, True
        yield f"{head}/tests.py {on} buggy.py", task.source, task.tests, False
        hidden = f"{head}/hidden_tests.py {on}"
        tests, fault = _drawn(f"{hidden} fixed.py", task.hidden, task.reference)
        if fault:
            yield fault
        else:
            yield f"{hidden} fixed.py", task.reference, tests, True
            yield f"{hidden} buggy.py", task.source, tests, False


def _pool() -> Iterator[Job | str]:
    rows = [
        task for split in corpus.SPLITS for n in corpus.ORDERS for task in corpus.pool(split, n)
    ]
    for task in rows[:: max(1, len(rows) // POOL_SAMPLE)]:
        where = f"pool.jsonl, {task.id} ({task.function})"
        yield f"{where}, tests", task.source, task.tests, False
        hidden, fault = _drawn(f"hidden tests of {task.function}", task.hidden, task.reference)
        yield fault or (f"{where}, hidden tests", task.source, hidden, False)
        twin = impossible(task)
        if twin is not None:
            yield f"{where}, contradicting tests on the original", twin.reference, twin.tests, False
