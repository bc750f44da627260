"""Where there is no zygote: two plain child processes, the candidate's on Monty where it can."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import threading
import time
from pathlib import Path
from typing import Any

from env_lib.sandbox import clock, sweep, wire
from env_lib.sandbox.limits import SandboxError
from env_lib.sandbox.request import Request
from env_lib.sandbox.slot import NO_EXTRA, Extra, command, environment, private_folder, search_path
from env_lib.sandbox.verdict import Evidence

_BOOT_S = 120.0
_GRACE_S = 1.0
_TICK_S = 0.2
_EXIT_S = 30.0
"""How long a checker that has reported, or closed its pipe, may take to be gone."""
_BOOT = """
import sys, types
package = types.ModuleType("walled")
package.__path__ = [sys.argv[1]]
sys.modules["walled"] = package
from walled import plain
plain.main(sys.argv[2], sys.argv[3])
"""


def monty_binary() -> str | None:
    """Return where Monty's own program is, None where it is not installed."""
    if importlib.util.find_spec("pydantic_monty") is None:
        return None
    places = os.pathsep.join([sysconfig.get_path("scripts"), os.environ.get("PATH", "")])
    return shutil.which("monty", path=places)


def run(
    request: Request, preload: tuple[str, ...], role: str, extra: Extra | None = None
) -> Evidence:
    """Run a request with the candidate as `role`: "candidate" (CPython) or "monty".

    Monty has no trusted modules, and a call of one is unsupported there.

    Raises:
        SandboxError: a process could not be started, or did not come so far as the code, or the
            checker was killed.
    """
    base = Path(private_folder())
    pair: list[subprocess.Popen[bytes]] = []
    try:
        return _run(request, preload, role, base, pair, extra or NO_EXTRA)
    except OSError as error:
        raise SandboxError(f"no process for the run: {error}") from error
    finally:
        for process in pair:
            _kill(process)
        _remove(base)


def _run(
    request: Request,
    preload: tuple[str, ...],
    role: str,
    base: Path,
    pair: list[subprocess.Popen[bytes]],
    extra: Extra,
) -> Evidence:
    began = time.perf_counter()
    for name in ("c", "k"):
        (base / name).mkdir()
    (base / "sources").write_bytes(request.sources)
    job = {
        "limits": vars(request.limits),
        "modules": request.modules,
        "preload": preload,
        "trusted": extra.modules if role == "candidate" else {},
        "path": search_path(),
        "sources": str(base / "sources"),
        "output": str(base / "output"),
        "ready": str(base / "ready"),
    }
    to_candidate, from_checker = os.pipe()
    to_checker, from_candidate = os.pipe()
    with os.fdopen(from_candidate, "wb", 0) as hand:
        checker = _start("checker", {**job, "folder": str(base / "k")}, to_checker, from_checker,
                         subprocess.PIPE, {})  # fmt: skip
        pair.append(checker)
        data = wire.dumps(wire.encode(request.job))
        hand.write(len(data).to_bytes(4, "big") + data)
        candidate = _start(role, {**job, "folder": str(base / "c")}, to_candidate, from_candidate,
                           subprocess.DEVNULL, extra.environment)  # fmt: skip
        pair.append(candidate)
    for fd in (to_candidate, from_checker, to_checker):
        os.close(fd)
    frames = _Frames(checker)
    late = frames.wait(request.limits.wall_s + _GRACE_S, [process.pid for process in pair])
    took = 1e3 * (time.perf_counter() - began)
    if not (base / "ready").exists() or not frames.started:
        raise SandboxError(f"a process of the run was not set up: {checker.poll()}")
    tier = "process" if role == "candidate" else role
    exits = None if late else _exit_of(checker), candidate.poll()
    return _evidence(request, base, tier, late, frames.report, exits, took)


def _exit_of(checker: subprocess.Popen[bytes]) -> int:
    """Return how the checker ended.

    The candidate's end says nothing of ours: without walls it may kill itself.

    Raises:
        SandboxError: a signal ended it, which no test and no limit of this tier sends, or it stays.
    """
    try:
        status = checker.wait(_EXIT_S)
    except subprocess.TimeoutExpired as error:
        raise SandboxError(f"the checker did not end within {_EXIT_S:g} s") from error
    if status < 0:
        raise SandboxError(f"the checker was killed by signal {-status}; is memory short?")
    return status


def _evidence(
    request: Request,
    base: Path,
    tier: str,
    late: str,
    report: bytes,
    exits: tuple[int | None, int | None],
    took: float,
) -> Evidence:
    output = base / "output"
    text = output.read_bytes()[: request.limits.output_kb << 10] if output.exists() else b""
    return Evidence(
        tier=tier,
        layers=tuple((base / "ready").read_text().split(",")),
        checker_exit=exits[0],
        candidate_exit=exits[1],
        late=late,
        report=report,
        output=text.decode(errors="replace").replace(str(base), "<folder>"),
        cpu_ms=0.0,
        candidate_cpu_ms=0.0,
        duration_ms=took,
    )


class _Frames:
    """The checker's own pipe, read by a thread so that a deadline holds on any system."""

    def __init__(self, checker: subprocess.Popen[bytes]) -> None:
        self._checker = checker
        self.started, self.report = False, b""
        self._begun, self._ended = threading.Event(), threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        pipe = self._checker.stderr
        assert pipe is not None
        try:
            self.started = wire.receive(pipe.fileno()) == "ready"
            self._begun.set()
            self.report = wire.dumps(wire.receive(pipe.fileno()))
        except (wire.Gone, wire.ProtocolError, OSError):
            self.report = b""
        finally:
            self._begun.set()
            self._ended.set()

    def wait(self, seconds: float, pids: list[int]) -> str:
        """Wait for the report; return "time" when it did not come in time."""
        self._begun.wait(_BOOT_S)
        timer = clock.Clock(pids)
        try:
            while (left := timer.left(seconds)) > 0:
                if self._ended.wait(min(left, _TICK_S)):
                    return ""
            return "time"
        finally:
            timer.close()


def _start(
    role: str, job: dict[str, Any], stdin: int, stdout: int, stderr: int, more: dict[str, str]
) -> subprocess.Popen[bytes]:
    env = {**environment(), **more}
    binary = monty_binary() if role == "monty" else None
    if binary:
        env["MONTY_BIN"] = binary
    line = command(_BOOT, str(Path(__file__).parent), role, json.dumps(job))
    return subprocess.Popen(
        line, stdin=stdin, stdout=stdout, stderr=stderr, env=env, start_new_session=True
    )


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process and its group; some systems refuse (EPERM) where all of a group has ended."""
    if sys.platform != "win32":
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            process.poll()
    process.kill()
    process.wait()
    if process.stderr is not None:
        process.stderr.close()


def _remove(base: Path) -> None:
    if sys.platform == "win32":
        shutil.rmtree(base, ignore_errors=True)
    else:
        sweep.remove(str(base))
