"""Real test runs: source and tests to a report, in the sandbox, remembered by content.

What a report holds depends on source and tests alone: limits are in CPU seconds with a generous
wall clock, so that a busy machine does not turn a pass into a timeout.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from env_lib.sandbox import Limits, Outcome, Sandbox

MODULE = "solution.py"
CPU_SECONDS = 1.0
WALL_SECONDS = 10.0
MESSAGE = 120
"""Characters of a failing test's message that are kept."""
HEAVY = "hypothesis"
"""A helper that has it loaded takes ten times as long to start, and longer to fork: it is kept for
what names it, which the tests of a bundled task never do; those of your own may."""


@dataclass(frozen=True)
class Report:
    """What the tests said of one source."""

    passed: tuple[str, ...]
    failed: tuple[tuple[str, str], ...]
    """(test id, message), in the order of the test file."""
    error: str = ""
    """Why nothing could be collected or finished: "syntax", "import", "timeout", "crash",
    "protocol"."""
    message: str = ""

    @property
    def total(self) -> int:
        """The number of tests; one that could not be collected counts as failed."""
        return len(self.passed) + len(self.failed)

    @property
    def all_passed(self) -> bool:
        """Whether every test passed, and there was one."""
        return bool(self.passed) and not self.failed


@lru_cache(maxsize=4)
def _box(process: int, workers: int, preload: tuple[str, ...]) -> Sandbox:
    from env_lib.sandbox import Sandbox

    return Sandbox(workers=workers, preload=preload)


def box(workers: int = 1, *, heavy: bool = False) -> Sandbox:
    """Return this process' sandbox, with hypothesis loaded or without; a fork gets its own."""
    return _box(os.getpid(), workers, (HEAVY,) if heavy else ())


def limits() -> Limits:
    """Return the limits of one run of tests."""
    from env_lib.sandbox import Limits

    return Limits(wall_s=WALL_SECONDS, cpu_s=CPU_SECONDS)


def report_of(outcome: Outcome) -> Report:
    """Turn a sandbox outcome into a report, without what varies from run to run."""
    passed = tuple(name for name, r in outcome.results.items() if r.status == "passed")
    failed = tuple(
        (name, r.message[:MESSAGE]) for name, r in outcome.results.items() if r.status != "passed"
    )
    return Report(passed, failed, outcome.error, outcome.message[:MESSAGE])


def _is_heavy(source: str, tests: str) -> bool:
    return HEAVY in tests or HEAVY in source


@lru_cache(maxsize=50_000)
def run_tests(source: str, tests: str) -> Report:
    """Run tests on a source for real.

    Raises:
        env_lib.sandbox.SandboxError: the sandbox itself failed; never counted as a failed test.
    """
    own = box(heavy=_is_heavy(source, tests))
    return report_of(own.run_tests({MODULE: source}, tests, limits=limits()))


def run_all(jobs: Sequence[tuple[str, str]], workers: int = 1) -> list[Report]:
    """Run many (source, tests), order kept."""
    reports: dict[int, Report] = {}
    for heavy in (False, True):
        some = [number for number, job in enumerate(jobs) if _is_heavy(*job) is heavy]
        pairs = [({MODULE: jobs[number][0]}, jobs[number][1]) for number in some]
        outcomes = box(workers, heavy=heavy).run_many(pairs, limits=limits())
        reports.update(zip(some, map(report_of, outcomes), strict=True))
    return [reports[number] for number in range(len(jobs))]
