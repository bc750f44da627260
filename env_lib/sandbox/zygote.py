"""The clean process that forks a candidate and a checker for each run.

It reads neither files nor tests: they come as descriptors that it only hands on, so no later
child can find them in its memory. It is single-threaded, and leaves when its owner does.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
from pathlib import Path
from typing import Any

from . import boot, candidate, checker, clock, selftest, sweep, walls

GRACE_S = 1.0
"""The checker ends the run itself at the deadline; this much later it is made to."""
_READY_S = 15.0
_TICK_S = 0.1
_KEPT_FDS = 4096


class Zygote:
    """Serves one owner over one socket, one run at a time."""

    def __init__(self, control: socket.socket, config: dict[str, Any]) -> None:
        self._control, self._base = control, config["base"]
        self._folders = {"candidate": f"{self._base}/c", "checker": f"{self._base}/k"}
        for folder in self._folders.values():
            Path(folder).mkdir(0o700)
        walls.undumpable(walls.libc())
        self._walls, self._held = self._stand(tuple(config["without"]))
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
        gc.collect()
        gc.freeze()

    def _stand(self, without: tuple[str, ...]) -> tuple[walls.Walls, dict[str, bool]]:
        """Return the best walls that hold what they promise when a child tries them."""
        made = walls.Walls(self._folders, without)
        if made.uid:
            Path(self._base).chmod(0o711)
            for folder in self._folders.values():
                os.chown(folder, made.uid, made.uid)
        held = selftest.held(made, self._base)
        open_calls = [name for name in selftest.BY_SECCOMP if not held[name]]
        open_files = [name for name in selftest.BY_FILES if not held[name]]
        if made.tier != "process" and open_calls:
            return self._stand((*without, "seccomp"))
        if made.tier == "full" and open_files:
            return self._stand((*without, "landlock"))
        return made, held

    def serve(self) -> None:
        """Answer until the owner leaves."""
        self._say({**self._walls.facts(), "held": self._held})
        while True:
            data, fds, _, _ = socket.recv_fds(self._control, 1 << 16, 4)
            if not data:
                break
            try:
                reply = self._run(json.loads(data), fds)
            except (OSError, MemoryError) as error:
                reply = {"failure": f"{type(error).__name__}: {error}"}
            finally:
                for fd in fds:
                    os.close(fd)
            self._say(reply)

    def _say(self, message: dict[str, Any]) -> None:
        try:
            self._control.send(json.dumps(message).encode())
        except BrokenPipeError:
            sys.exit(0)

    def _run(self, job: dict[str, Any], fds: list[int]) -> dict[str, Any]:
        sources, tests, report, output = fds
        self._walls.recount()
        ours, theirs = socket.socketpair()
        children: dict[str, Child] = {}
        try:
            for role, link, given, printed in (
                ("candidate", ours, (sources,), output),
                ("checker", theirs, (tests, report), -1),
            ):
                others = [child.pid for child in children.values()]
                start = (role, job, link.fileno(), given, printed, others)
                children[role] = self._start(*start)
            ours.close()
            theirs.close()
            late = self._watch(children, job)
        finally:
            ours.close()
            theirs.close()
            for child in children.values():
                child.end()
        reply: dict[str, Any] = {role: child.told() for role, child in children.items()}
        for folder in self._folders.values():
            sweep.empty(folder)
        return {**reply, "late": late}

    def _start(
        self,
        role: str,
        job: dict[str, Any],
        link: int,
        given: tuple[int, ...],
        printed: int,
        others: list[int],
    ) -> Child:
        reader, writer = os.pipe2(os.O_CLOEXEC)
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            self._become(role, job, link, given, printed, writer, (parent, *others))
        os.close(writer)
        return Child(pid, reader)

    def _become(
        self, role: str, job: dict[str, Any], link: int, given: tuple[int, ...], printed: int,
        told: int, family: tuple[int, ...],
    ) -> None:  # fmt: skip
        """Be the child: walls first, then its part; never returns."""
        try:
            os.setsid()
            signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
            null = os.open("/dev/null", os.O_RDWR)
            for number, source in enumerate((null, *(2 * [null if printed < 0 else printed]))):
                os.dup2(source, number)
            timer = clock.Clock([os.getpid(), *family[1:]] if role == "checker" else [])
            _close_all_but([link, *given, told, *timer.fds, *self._walls.handles(role)])
            names = self._walls.raise_around(role, job["limits"], family[0])

            def ready() -> None:
                names.extend(self._walls.seal())
                os.write(told, f"ready {','.join(names)}".encode())
                os.close(told)

            if role == "candidate":
                candidate.run(link, link, given[0], self._walls.sealed, ready)
            else:
                part = {**job, "seal": self._walls.sealed, "wall_s": job["limits"]["wall_s"]}
                checker.run(link, link, checker.read_work(given[0]), given[1], part, ready, timer)
        except BaseException as error:  # nothing may unwind into the zygote's own loop
            try:
                os.write(told, f"failed {type(error).__name__}: {error}"[:500].encode())
            except OSError:
                os._exit(71)
        os._exit(70)

    def _watch(self, children: dict[str, Child], job: dict[str, Any]) -> str:
        """Wait for the checker or the deadline; return what came first."""
        both = list(children.values())
        timer = clock.Clock([child.pid for child in both])
        try:
            while waiting := [child.reader for child in both if not child.heard()]:
                left = timer.left(_READY_S)
                if left <= 0:
                    return "setup"
                select.select(waiting, [], [], left)
            if not all(child.words.startswith("ready") for child in both):
                return "setup"
            timer.start()
            return self._wait(children, job, timer)
        finally:
            timer.close()

    def _wait(self, children: dict[str, Child], job: dict[str, Any], timer: clock.Clock) -> str:
        limit = job["limits"]["wall_s"] + GRACE_S
        allowed = 4 * job["limits"]["file_mb"] << 20
        while True:
            if children["checker"].ended():
                return ""
            left = timer.left(limit)
            if left <= 0:
                return "time"
            if signal.sigtimedwait([signal.SIGCHLD], min(left, _TICK_S)) is None:
                if select.select([self._control], [], [], 0)[0]:
                    return "owner"
                if sweep.size(self._folders["candidate"], allowed) > allowed:
                    return "disk"


class Child:
    """A forked child: what it said while setting up, and how it ended."""

    def __init__(self, pid: int, reader: int) -> None:
        self.pid, self.reader, self.words = pid, reader, ""
        self.status: int | None = None
        self.killed = False
        self._cpu_s, self._done = 0.0, False

    def heard(self) -> bool:
        """Read what the child says, without waiting; whether it has said all."""
        while not self._done and select.select([self.reader], [], [], 0)[0]:
            data = os.read(self.reader, 1024)
            self.words += data.decode(errors="replace")
            self._done = not data
        return self._done

    def ended(self) -> bool:
        """Whether the child has ended; it stays uncollected, so that its id stays its own."""
        options = os.WEXITED | os.WNOWAIT | os.WNOHANG
        return self.status is not None or os.waitid(os.P_PID, self.pid, options) is not None

    def end(self) -> None:
        """Kill the child's session and collect it."""
        self.killed = not self.ended()
        for kill in (os.killpg, os.kill):
            try:
                kill(self.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        _, status, usage = os.wait4(self.pid, 0)
        self.status = os.waitstatus_to_exitcode(status)
        self._cpu_s = usage.ru_utime + usage.ru_stime
        os.close(self.reader)

    def told(self) -> dict[str, Any]:
        """Return what the owner should know."""
        return {
            "words": self.words,
            "exit": self.status,
            "killed": self.killed,
            "cpu_ms": self._cpu_s * 1e3,
        }


def _close_all_but(keep: list[int]) -> None:
    low = 3
    for fd in sorted(set(keep)):
        os.closerange(low, fd)
        low = fd + 1
    os.closerange(low, _KEPT_FDS)


def main(fd: int) -> None:
    """Boot as the owner's first message says, then serve."""
    control = socket.socket(fileno=fd)
    control.set_inheritable(False)
    config = json.loads(control.recv(1 << 20))
    try:
        boot.prepare(config)
        zygote = Zygote(control, config)
    except Exception as error:  # a preloaded module may raise anything; its owner is told
        control.send(json.dumps({"failure": f"{type(error).__name__}: {error}"}).encode())
        return
    try:
        zygote.serve()
    finally:
        sweep.remove(config["base"])
