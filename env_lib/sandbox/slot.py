"""One zygote seen from its owner: started when first used, replaced once when it dies oddly."""

from __future__ import annotations

import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from env_lib.sandbox import sweep, wire
from env_lib.sandbox.limits import SandboxError
from env_lib.sandbox.request import Request
from env_lib.sandbox.verdict import Evidence, check_exits

_BOOT_S = 600.0
"""Large libraries take a minute to load from a cold disk, and longer beside other work."""
_SLACK_S = 30.0
_MAX_REPORT = 4 << 20
_BOOT = """
import sys, types
package = types.ModuleType("walled")
package.__path__ = [sys.argv[2]]
sys.modules["walled"] = package
from walled import zygote
zygote.main(int(sys.argv[1]))
"""


class Extra(NamedTuple):
    """What an owner gives its helpers beside libraries."""

    environment: dict[str, str]
    modules: dict[str, str]
    """Trusted: name -> source."""


NO_EXTRA = Extra({}, {})


class _Died(Exception):
    """The zygote is no longer there."""


def environment() -> dict[str, str]:
    """Return the whole environment of a helper process: nothing of the owner's secrets."""
    kept = {name: os.environ[name] for name in ("LD_LIBRARY_PATH", "SYSTEMROOT")
            if name in os.environ}  # fmt: skip
    threads = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM")
    return {
        **kept,
        **{f"{name}_NUM_THREADS": "1" for name in threads},
        "HOME": ".",
        "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8",
        "PYTHONHASHSEED": "0",
        "TMPDIR": ".",
        "TZ": "UTC",
    }


def command(code: str, *arguments: str) -> list[str]:
    """Return the command line of a helper: no site packages, no user folder, no byte code."""
    return [sys.executable, "-s", "-S", "-P", "-B", "-X", "utf8", "-c", code, *arguments]


def search_path() -> list[str]:
    """Return the owner's import path, from which modules are preloaded."""
    return [str(Path(path).absolute()) for path in sys.path if path and Path(path).is_dir()]


def private_folder() -> str:
    """Make a folder that only this user can enter, in memory where there is room."""
    shared = Path("/dev/shm")
    roomy = shared.is_dir() and shutil.disk_usage(shared).free > 64 << 20
    try:
        return tempfile.mkdtemp(prefix="walled-", dir=shared if roomy else None)
    except OSError as error:
        raise SandboxError(f"no folder for the run: {error}") from error


class Slot:
    """Runs one request at a time; not for use by two threads at once."""

    def __init__(
        self, preload: tuple[str, ...], without: tuple[str, ...], extra: Extra | None = None
    ) -> None:
        self._preload, self._without, self._extra = preload, without, extra or NO_EXTRA
        self._owner = 0
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._base = ""
        self.hello: dict[str, Any] = {}

    def run(self, request: Request) -> Evidence:
        """Run a request and return what it left.

        Raises:
            SandboxError: the sandbox itself failed, twice where a new zygote might have helped.
        """
        try:
            return self._try(request)
        except _Died:
            self.close(gently=False)
        try:
            return self._try(request)
        except _Died as error:
            self.close(gently=False)
            raise SandboxError(f"the zygote died twice: {error}") from error

    def start(self) -> None:
        """Start the zygote unless it runs already in this process."""
        if self._process is not None and self._owner == os.getpid():
            return
        self._owner, self._base = os.getpid(), private_folder()
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        line = command(_BOOT, str(theirs.fileno()), str(Path(__file__).parent))
        try:
            self._process = subprocess.Popen(
                line,
                pass_fds=[theirs.fileno()],
                env={**environment(), **self._extra.environment},
                cwd=self._base,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            raise SandboxError(f"the zygote did not start: {error}") from error
        finally:
            theirs.close()
        self._control = ours
        config = {"base": self._base, "preload": self._preload, "without": self._without}
        given = {"path": search_path(), "modules": self._extra.modules}
        self.hello = self._ask({**config, **given}, [], _BOOT_S)
        if "failure" in self.hello:
            self.close(gently=False)
            raise SandboxError(f"the zygote did not start: {self.hello['failure']}")

    def _ask(self, message: dict[str, Any], fds: list[int], patience: float) -> dict[str, Any]:
        control = self._control
        assert control is not None
        try:
            socket.send_fds(control, [json.dumps(message).encode()], fds)
            if not select.select([control], [], [], patience)[0]:
                raise _Died(f"no answer within {patience:g} s")
            data = control.recv(1 << 16)
        except (BrokenPipeError, ConnectionResetError) as error:
            raise _Died(str(error)) from error
        if not data:
            raise _Died("it closed its socket")
        reply: dict[str, Any] = json.loads(data)
        return reply

    def _try(self, request: Request) -> Evidence:
        self.start()
        limits = request.limits
        job = {"limits": vars(limits), "modules": request.modules}
        fds: list[int] = []
        began = time.perf_counter()
        try:
            for name, data in (("f", request.sources), ("t", request.job), ("r", b""), ("o", b"")):
                fds.append(_memory(name, data))
            reply = self._ask(job, fds, limits.wall_s + _SLACK_S)
            took = 1e3 * (time.perf_counter() - began)
            report = os.pread(fds[2], _MAX_REPORT, 0)[wire.HEAD :]
            output = os.pread(fds[3], limits.output_kb << 10, 0).decode(errors="replace")
        except OSError as error:
            raise SandboxError(f"no memory for the run: {error}") from error
        finally:
            for fd in fds:
                os.close(fd)
        try:
            evidence = self._evidence(reply, report, output, took)
            check_exits(evidence, limits)
        except SandboxError:
            self.close(gently=False)  # the next run starts afresh
            raise
        return evidence

    def _evidence(self, reply: dict[str, Any], report: bytes, output: str, took: float) -> Evidence:
        if "failure" in reply:
            raise SandboxError(f"the run could not be made: {reply['failure']}")
        candidate, checker = reply["candidate"], reply["checker"]
        for role, told in (("candidate", candidate), ("checker", checker)):
            if not told["words"].startswith("ready"):
                raise SandboxError(f"the {role} was not set up: {told['words'] or told['exit']}")
        if reply["late"] in ("setup", "owner"):
            raise SandboxError(f"the run was cut short by {reply['late']}")
        dead_by_us = candidate["killed"] and candidate["exit"] == -signal.SIGKILL
        return Evidence(
            tier=self.hello["tier"],
            layers=tuple(candidate["words"].removeprefix("ready ").split(",")),
            checker_exit=None if checker["killed"] else checker["exit"],
            candidate_exit=None if dead_by_us else candidate["exit"],
            late=reply["late"],
            report=report,
            output=output.replace(self._base, "<folder>"),
            cpu_ms=candidate["cpu_ms"] + checker["cpu_ms"],
            candidate_cpu_ms=candidate["cpu_ms"],
            duration_ms=took,
        )

    def close(self, gently: bool = True) -> None:
        """End the zygote and remove its folder; a slot can be used again afterwards."""
        process, control, mine = self._process, self._control, self._owner == os.getpid()
        self._process = self._control = None
        if control is not None:
            control.close()
        if process is None or not mine:
            return
        try:
            process.wait(2.0 if gently else 0.0)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        sweep.remove(self._base)


def _memory(name: str, data: bytes) -> int:
    fd = os.memfd_create(f"walled-{name}")
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]
    return fd
