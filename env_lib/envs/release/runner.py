"""Real runs of unit and contract tests in the sandbox, remembered by content.

One run holds every check that is asked for at once. A report depends on files and tests alone:
limits are in processor seconds under a generous wall clock.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from env_lib.envs.release.code import AGAIN, Check, batch

if TYPE_CHECKING:
    from env_lib.sandbox import Sandbox

CPU_SECONDS = 1.0
WALL_SECONDS = 20.0
MESSAGE = 110
"""Characters of a failing test's message that are kept."""

Results = Mapping[str, str]
"""Check id -> why it fails, "" where it passes; of a flaky test one try has to pass, and
id + FIRST_TRY -> why its first try failed where the second passed, "" elsewhere."""
FIRST_TRY = ", first try"


@lru_cache(maxsize=1)
def _box(process: int) -> Sandbox:
    from env_lib.sandbox import Sandbox

    return Sandbox(workers=1, preload=())


def run_checks(files: Mapping[str, str], checks: Sequence[Check]) -> dict[str, str]:
    """Run checks on a tree, flaky ones with a retry.

    The code of every service is part of the run, and so of what is remembered; test files are not.

    Raises:
        env_lib.sandbox.SandboxError: the sandbox itself failed; never counted as a failed test.
    """
    code = {path: text for path, text in files.items() if not path.startswith(READ_ONLY)}
    folders = {path.split("/")[0] for path in code}
    code |= {f"{folder}/__init__.py": "" for folder in folders}
    told = dict(_run(tuple(sorted(code.items())), batch(checks)))
    for name in (check.id for check in checks if check.cases):
        retried = told[name] if not told.pop(name + AGAIN) else ""
        told |= {name: "" if retried else told[name], name + FIRST_TRY: retried}
    return told


READ_ONLY = ("tests/", "contracts/")
"""Folders that hold tests: shown, never edited, and not among the files of a run."""


@lru_cache(maxsize=8192)
def _run(files: tuple[tuple[str, str], ...], tests: str) -> tuple[tuple[str, str], ...]:
    from env_lib.sandbox import Limits

    limits = Limits(wall_s=WALL_SECONDS, cpu_s=CPU_SECONDS)
    outcome = _box(os.getpid()).run_tests(dict(files), tests, limits)
    spoiled = (outcome.message or outcome.error)[:MESSAGE] if outcome.error else ""
    return tuple(
        (name, "" if r.status == "passed" else (r.message or spoiled or r.status)[:MESSAGE])
        for name, r in outcome.results.items()
    )
