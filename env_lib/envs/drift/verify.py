"""`make verify-drift`: every breakage of data/drift, run on the installed releases in both forms.

The old form must fail with the error that is told, or print something else; the new form must run
and print what the old release printed. What does not is listed with the reason.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from env_lib.envs.drift.corpus import folder
from env_lib.envs.drift.runner import LIBRARIES, NONE, Report, run_many, versions
from env_lib.runs import read_jsonl

Row = Mapping[str, Any]
_NAMES = {"scikit-learn": "sklearn"}
_PROCESSES = ("trl-sft-dataset-num-proc",)
_HARNESS = """\
import contextlib
import io
import sys
import types

SNIPPET = {snippet!r}
TINY = {tiny!r}


def main(inputs):
    tiny = sys.modules["tiny"] = types.ModuleType("tiny")
    exec(TINY, tiny.__dict__)
    sys.modules["snippet"] = module = types.ModuleType("snippet")
    shown = io.StringIO()
    with contextlib.redirect_stdout(shown):
        exec(compile(SNIPPET, "snippet.py", "exec"), module.__dict__)
    lines = shown.getvalue().strip().splitlines()
    return lines[-1] if lines else ""
"""


@dataclass(frozen=True)
class Verdict:
    """What came of one row."""

    id: str
    reason: str = ""
    """Why it does not hold; "" where it does."""
    skipped: bool = False
    """Whether it was not run: its library, or its release, is not the one installed."""


def rows() -> list[Row]:
    """Return the rows as they are in the file."""
    return list(read_jsonl(folder() / "breakages.jsonl"))


@cache
def _tiny() -> str:
    return (folder() / "tiny.py").read_text("utf-8")


def harness(snippet: str) -> str:
    """Return a script whose `main` runs a snippet and gives its last printed line."""
    return _HARNESS.format(snippet=snippet, tiny=_tiny() if "tiny" in snippet else "")


def unfit(row: Row) -> str:
    """Return why a row cannot be run here, "" where it can."""
    name = _NAMES.get(row["library"], row["library"])
    if row["id"] in _PROCESSES:
        return "it starts processes, which no run may"
    if "+" in row["env"]:
        return f"it needs {row['env'].partition('+')[2]}, which is not installed"
    if name not in LIBRARIES:
        return f"{row['library']} is not among the libraries that scripts use"
    here = dict(versions())[name]
    if not here:
        return f"{row['library']} is not installed"
    if here != row["installed"]:
        return f"{row['library']} {here} is installed, the row is about {row['installed']}"
    return ""


def fault(row: Row, old: Report, new: Report) -> str:
    """Return what two runs show against a row."""
    wanted = row["expected_output"]
    if not new.ok:
        return f"the new form fails: {new.error_type}: {new.message}"
    if wanted is not None and new.values[0] != wanted:
        return f"the new form prints {new.values[0]!r} and not {wanted!r}"
    if row["silent"]:
        if not old.ok:
            return f"the old form fails, which should be silent: {old.error_type}: {old.message}"
        return "" if old.values != new.values else f"both forms print {old.values[0]!r}"
    if old.ok:
        return f"the old form runs and prints {old.values[0]!r}"
    if old.error_type != row["error_type"]:
        return f"the old form raises {old.error_type}, not {row['error_type']}: {old.message}"
    return ""


def verify(some: Iterable[Row], workers: int = 1) -> list[Verdict]:
    """Return a verdict for each row, order kept.

    Raises:
        env_lib.sandbox.SandboxError: the sandbox itself failed.
    """
    chosen = list(some)
    reasons = [unfit(row) for row in chosen]
    fit = [row for row, reason in zip(chosen, reasons, strict=True) if not reason]
    forms = [row[name] for row in fit for name in ("old_snippet", "new_snippet")]
    reports = iter(run_many([(harness(form), (None,), NONE) for form in forms], workers))
    found = []
    for row, reason in zip(chosen, reasons, strict=True):
        if reason:
            found.append(Verdict(row["id"], reason, skipped=True))
        else:
            found.append(Verdict(row["id"], fault(row, next(reports), next(reports))))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Verify all rows, or those named; return 1 where one does not hold, or where none was run."""
    parser = argparse.ArgumentParser(description="Run every breakage on the installed release.")
    parser.add_argument("ids", nargs="*", help="ids of rows; all by default")
    parser.add_argument("--workers", type=int, default=2, help="helpers at a time")
    told = parser.parse_args(arguments)
    chosen = [row for row in rows() if not told.ids or row["id"] in told.ids]
    verdicts = verify(chosen, told.workers)
    for verdict in verdicts:
        if verdict.reason:
            mark = "not run" if verdict.skipped else "FAULT"
            print(f"{mark}  {verdict.id}: {verdict.reason}")
    faults = sum(bool(one.reason) and not one.skipped for one in verdicts)
    skipped = sum(one.skipped for one in verdicts)
    held = len(verdicts) - faults - skipped
    print(f"{held} rows hold, {faults} do not, {skipped} could not be run")
    if skipped == len(verdicts):
        print(
            "nothing was run: install the releases of constraints.txt, or name rows that are there"
        )
    return int(faults > 0 or skipped == len(verdicts))


if __name__ == "__main__":
    sys.exit(main())
