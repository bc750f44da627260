"""CI runs: the tests of a change, executed in the sandbox, remembered by content.

All runs that proposals refer to are bundled in `data/supervise/ci_runs.json`, so that an episode
executes nothing; a run that is not there is executed when it is asked for.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from env_lib.core import stable_hash
from env_lib.envs.supervise.modules import folder, jobs

Result = tuple[str, str, str]
"""(test, status, message)."""
MESSAGE = 48
"""Characters of a failing test's message that are kept."""


def store_file() -> Path:
    """Return the file of the bundled runs."""
    return folder() / "ci_runs.json"


def key_of(files: Mapping[str, str], tests: str) -> str:
    """Return the key of a run: the hash of all that it executes."""
    return stable_hash([dict(files), tests])[:16]


@lru_cache(maxsize=1)
def _store() -> dict[str, list[Result]]:
    if not store_file().is_file():
        return {}
    rows = json.loads(store_file().read_text(encoding="utf-8"))
    return {key: [(row[0], row[1], row[2]) for row in found] for key, found in rows.items()}


def execute(runs: Sequence[tuple[Mapping[str, str], str]]) -> list[list[Result]]:
    """Execute runs for real, order kept.

    Raises:
        env_lib.sandbox.SandboxError: the sandbox itself failed.
    """
    from env_lib.sandbox import Limits, Sandbox

    with Sandbox(workers=1, preload=()) as box:
        outcomes = box.run_many(runs, limits=Limits(wall_s=30.0, cpu_s=2.0))
    return [
        [(name, found.status, found.message[:MESSAGE]) for name, found in outcome.results.items()]
        for outcome in outcomes
    ]


def results(files: Mapping[str, str], tests: str) -> list[Result]:
    """Return how each test of a run ended."""
    key, store = key_of(files, tests), _store()
    if key not in store:
        store[key] = execute([(files, tests)])[0]
    return store[key]


def missing() -> list[tuple[dict[str, str], str]]:
    """Return the runs that the bundle lacks."""
    return [run for run in jobs() if key_of(*run) not in _store()]


def bundle() -> int:
    """Execute what the bundle lacks, write it, and return how many runs were executed."""
    from env_lib.runs import write_text

    wanted = missing()
    for run, found in zip(wanted, execute(wanted) if wanted else [], strict=True):
        _store()[key_of(*run)] = found
    if wanted:
        kept = {key_of(*run) for run in jobs()}
        lines = [
            f"{json.dumps(key)}: {json.dumps(found)}"
            for key, found in sorted(_store().items()) if key in kept
        ]  # fmt: skip
        write_text(store_file(), "{\n" + ",\n".join(lines) + "\n}\n")
    return len(wanted)


def uncalled(source: str, tests: str) -> list[str]:
    """Return the functions of a source that its tests never name."""
    named = {node.id for node in ast.walk(ast.parse(tests)) if isinstance(node, ast.Name)}
    tree = ast.parse(source)
    return [n.name for n in tree.body if isinstance(n, ast.FunctionDef) and n.name not in named]


def log(commit: str, source: str, name: str, tests: str) -> str:
    """Return the log of the run of `tests` on the module `name` at a commit."""
    found = results({f"{name}.py": source}, tests)
    failed = [row for row in found if row[1] != "passed"]
    lines = [
        f"{commit}: {len(found) - len(failed)} passed, {len(failed)} failed",
        f"uncalled: {', '.join(uncalled(source, tests)) or 'none'}",
    ]
    return "\n".join([*lines, *(f"FAILED {test}: {message}" for test, _, message in failed)])
