"""From what the processes left behind to an outcome; the one place where a pass is granted."""

from __future__ import annotations

import re
import signal
from dataclasses import dataclass
from typing import Any

from env_lib.sandbox import errors, wire
from env_lib.sandbox.limits import Limits, Outcome, SandboxError, TestResult

MAX_MESSAGE = 200
_FOLDER, _ADDRESS = re.compile(r"/\S*?walled-\w+"), re.compile(r" at 0x[0-9a-f]+")
"""Folders and addresses, which differ between runs that are otherwise the same."""
_STATUSES = ("passed", "failed", "error", "timeout", "crash", "protocol", "unsupported")


@dataclass(frozen=True)
class Evidence:
    """What is left of a run."""

    tier: str
    layers: tuple[str, ...]
    checker_exit: int | None
    """None when it had to be killed."""
    candidate_exit: int | None
    late: str
    """What cut the run short: '', time or disk."""
    report: bytes
    output: str
    cpu_ms: float
    candidate_cpu_ms: float
    duration_ms: float


def judge(names: tuple[str, ...], limits: Limits, evidence: Evidence) -> Outcome:
    """Return the outcome; tests pass only on a whole, exact report of a checker that ended well.

    Raises:
        SandboxError: a process was killed by something that is neither the run nor its limits.
        errors.Unsupported: the tier's interpreter lacks what the code uses.
    """
    report, error, message = _read(names, limits, evidence)
    if report is None:
        status = "timeout" if error == "timeout" else "missing"
        results = {name: TestResult(status, message) for name in names}
        return _outcome(results, error, message, None, evidence)
    statuses = {status for _, status, _ in report["results"]} | {report["error"]}
    if "unsupported" in statuses:
        raise errors.Unsupported(report["message"])
    spent = _out_of_cpu(evidence.candidate_exit, evidence.candidate_cpu_ms, limits)
    results = {}
    for name, status, text in report["results"]:
        if status == "crash" and spent:
            status, text = "timeout", f"used its {limits.cpu_s:g} s of processor time"
        elif status in ("crash", "protocol"):
            text = f"{text}{_how(evidence.candidate_exit)}"
        shown = status if status in ("passed", "failed", "timeout") else "error"
        results[name] = TestResult(shown, _cut(text))
    error = report["error"]
    for kind in ("timeout", "crash", "protocol"):
        if not error and kind in statuses:
            error = kind
    if error == "crash" and spent:
        error = "timeout"
    message = report["message"] or next(
        (result.message for result in results.values() if result.status in ("timeout", "error")), ""
    )
    if error in ("crash", "protocol") and report["message"]:
        message += _how(evidence.candidate_exit)
    value = wire.decode(report["value"], _opaque) if "value" in report else None
    return _outcome(results, error, message, value, evidence)


def _read(
    names: tuple[str, ...], limits: Limits, evidence: Evidence
) -> tuple[dict[str, Any] | None, str, str]:
    """Return the report, or None with what is wrong about it."""
    if evidence.late == "disk":
        return None, "crash", f"the files of the run passed {4 * limits.file_mb} MB"
    if evidence.late == "time" or evidence.checker_exit == -getattr(signal, "SIGXCPU", 24):
        return None, "timeout", f"the tests ran past {limits.wall_s:g} s"
    if evidence.checker_exit != 0:
        return None, "protocol", f"the checker ended with {evidence.checker_exit}"
    try:
        report = wire.loads(evidence.report)
        shapes = [(name, status, text) for name, status, text in report["results"]]
        exact = [name for name, _, _ in shapes] == list(names)
        known = all(status in _STATUSES and isinstance(text, str) for _, status, text in shapes)
        canary, _ = report["canary"], (report["error"], report["message"])
    except (ValueError, KeyError, TypeError):
        return None, "protocol", "the report is not whole"
    if not exact or not known:
        return None, "protocol", "the report does not hold exactly the expected tests, once each"
    if canary != "failed":
        return None, "protocol", "a test that must fail has passed"
    return report, "", ""


def check_exits(evidence: Evidence, limits: Limits) -> None:
    """Raise SandboxError where a process was killed from outside, as for want of memory."""
    roles = {"checker": evidence.checker_exit, "candidate": evidence.candidate_exit}
    for role, status in roles.items():
        used = evidence.candidate_cpu_ms if role == "candidate" else evidence.cpu_ms
        if status == -9 and not _out_of_cpu(-9, used, limits) and not evidence.late:
            raise SandboxError(f"the {role} was killed from outside; is memory short?")


def _out_of_cpu(status: int | None, used_ms: float, limits: Limits) -> bool:
    if status == -getattr(signal, "SIGXCPU", 24):
        return True
    return status == -9 and used_ms >= 0.9e3 * limits.cpu_s


def _how(status: int | None) -> str:
    if not status:
        return ""  # with 0 it may also have left because the checker did
    return f" (exit status {status})" if status > 0 else f" (signal {-status})"


def _opaque(tag: str, body: Any) -> Any:
    if tag == "h":
        return f"<{str(body[1])[:80]} object>"
    if tag in ("r", "f", "e"):
        return None
    raise wire.ProtocolError(f"unknown tag {tag[:20]!r}")


def _cut(text: str) -> str:
    text = _FOLDER.sub("<folder>", _ADDRESS.sub("", " ".join(text.split())))
    return text if len(text) <= MAX_MESSAGE else f"{text[: MAX_MESSAGE - 1]}…"


def _outcome(
    results: dict[str, TestResult], error: str, message: str, value: Any, evidence: Evidence
) -> Outcome:
    return Outcome(
        results=results,
        error=error,
        message=_cut(message),
        value=value,
        stdout=evidence.output,
        tier=evidence.tier,
        layers=evidence.layers,
        duration_ms=evidence.duration_ms,
        cpu_ms=evidence.cpu_ms,
    )
