"""Run the tests of functions and of their mutants, and keep what both kinds of tests catch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from env_lib.envs.repair.corpus import CorpusError, Function
from env_lib.envs.repair.freeze import FreezeError, frozen
from env_lib.envs.repair.mutate import Mutant, content_hash
from env_lib.envs.repair.runner import Report, run_all


@dataclass
class Made:
    """What was made and why the rest was not."""

    rows: list[dict[str, Any]] = field(default_factory=list)
    rejected: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def record(self) -> dict[str, Any]:
        """Return the figures as JSON."""
        return {
            "mutants": len(self.rows),
            "rejected": dict(self.rejected),
            "seconds": round(self.seconds, 1),
            "by_order": dict(Counter(str(len(row["kinds"])) for row in self.rows)),
            "by_kind": dict(Counter(kind for row in self.rows for kind in row["kinds"])),
        }


def require_right(homes: Sequence[Function], workers: int) -> None:
    """Run the visible and hidden tests of each function on itself.

    Raises:
        CorpusError: a test fails; the message names function, test and reason.
    """
    jobs = []
    for home in homes:
        try:
            hidden = frozen(home.hidden, home.source)
        except FreezeError as error:
            raise CorpusError(f"{home.name} does not pass its hidden tests: {error}") from error
        jobs += [(home, "tests", home.tests), (home, "hidden tests", hidden)]
    reports = run_all([(home.source, tests) for home, _, tests in jobs], workers)
    for (home, what, _), report in zip(jobs, reports, strict=True):
        if not report.all_passed:
            name, message = report.failed[0] if report.failed else (report.error, report.message)
            raise CorpusError(f"{home.name} does not pass its {what}: {name}: {message}")


def verify(batch: Sequence[tuple[Function, Mutant]], made: Made, workers: int) -> None:
    """Run visible and hidden tests of a batch; keep what both catch."""
    visible = run_all([(m.source, home.tests) for home, m in batch], workers)
    caught = [(home, m, v) for (home, m), v in zip(batch, visible, strict=True) if _caught(v, made)]
    hidden = run_all(
        [(m.source, frozen(home.hidden, home.source)) for home, m, _ in caught], workers
    )
    for (home, mutant, seen), unseen in zip(caught, hidden, strict=True):
        if unseen.error == "timeout":
            made.rejected["does not end"] += 1
            continue
        if unseen.all_passed:
            made.rejected["hidden tests pass"] += 1
            continue
        made.rows.append(
            {
                "id": content_hash(mutant.source)[:12],
                "function": home.name,
                "kinds": str(mutant.kind).split("+"),
                "source": mutant.source,
                "failing": [name for name, _ in seen.failed],
                "hidden_failing": len(unseen.failed),
            }
        )


def _caught(report: Report, made: Made) -> bool:
    if report.error == "timeout":
        made.rejected["does not end"] += 1
        return False
    if report.all_passed:
        made.rejected["visible tests pass"] += 1
        return False
    return True
