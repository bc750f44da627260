"""What a run may use, and what comes back from it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


class SandboxError(RuntimeError):
    """A failure of ours: no fork, no memory, no disk, a dead helper. Never a failed test."""


@dataclass(frozen=True)
class Limits:
    """What one run may use; each of the two processes has the same allowance."""

    wall_s: float = 2.0
    """Seconds on the clock, from the moment both processes stand behind their walls."""
    cpu_s: float = 2.0
    """Seconds of processor time a process (the kernel counts whole ones, rounded up)."""
    memory_mb: int = 512
    """Address space beyond what the preloaded modules already take."""
    file_mb: int = 8
    """Largest single file; all files of a run together may reach four times that."""
    open_files: int = 64
    """File descriptors."""
    output_kb: int = 64
    """How much of the candidate's output is kept."""

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if not value > 0:
                raise ValueError(f"Limits.{name} is {value!r}; it must be above 0")
        if self.open_files < 16:
            raise ValueError(f"Limits.open_files is {self.open_files}; it must be at least 16")


STATUSES = ("passed", "failed", "error", "timeout", "missing")
ERRORS = ("", "syntax", "import", "timeout", "crash", "protocol")


@dataclass(frozen=True)
class TestResult:
    """How one expected test ended."""

    __test__ = False
    status: str
    """passed, failed (an assertion or exception), error (never ran), timeout, missing."""
    message: str = ""
    """Why it did not pass, in at most 200 characters."""


@dataclass(frozen=True)
class Outcome:
    """What a run showed. Only the checker's report, checked against trusted tests, is in it."""

    results: dict[str, TestResult] = field(default_factory=dict)
    """Expected test id -> how it ended; every expected id is there."""
    error: str = ""
    """What spoiled the run as a whole: '', syntax, import, timeout, crash or protocol."""
    message: str = ""
    """The same in words."""
    value: Any = None
    """What `run_call` returned, as plain data."""
    stdout: str = ""
    """What the candidate printed to either stream, cut at `Limits.output_kb`; never trusted."""
    tier: str = ""
    """full, sealed, monty or process: how far the run was contained."""
    layers: tuple[str, ...] = ()
    """The walls that stood around the candidate in this run."""
    duration_ms: float = 0.0
    """Wall time as the caller saw it."""
    cpu_ms: float = 0.0
    """Processor time of candidate and checker together."""

    @property
    def passed(self) -> set[str]:
        """Ids of the tests that passed."""
        return {name for name, result in self.results.items() if result.status == "passed"}

    @property
    def all_passed(self) -> bool:
        """Whether there was a test, every test passed, and nothing spoiled the run."""
        return bool(self.results) and not self.error and len(self.passed) == len(self.results)
