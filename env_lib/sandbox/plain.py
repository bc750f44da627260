"""A candidate or a checker as an ordinary child process, joined by pipes: any system has these.

The verdict is as safe as behind walls, since code and tests share no process; the machine is
not: nothing here keeps the code from files or from the network, and where `rlimit_nproc` is not
among the layers (root, macOS, Windows) nothing bounds the processes that it starts.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import boot, candidate, checker, clock, files, threads, wire


def main(role: str, config: str) -> None:
    """Take the pipes of this process as the link, and be the candidate or the checker."""
    job = json.loads(config)
    reader, writer, special = os.dup(0), os.dup(1), os.dup(2)
    null = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(null, number)
    os.close(null)
    sys.path += [path for path in job["path"] if path not in sys.path]
    if role == "checker":
        _check(reader, writer, special, job)
    os.close(special)
    os.chdir(job["folder"])
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    output = os.open(job["output"], flags, 0o600)
    for number in (1, 2):
        os.dup2(output, number)
    os.close(output)
    names = _limit(job["limits"])

    def ready() -> None:
        Path(job["ready"]).write_text(",".join(["session", "folder", *names]))
        wire.send(writer, "ready")

    sources = os.open(job["sources"], os.O_RDONLY | getattr(os, "O_BINARY", 0))
    boot.load(job["trusted"])
    if role == "monty":
        _monty(reader, writer, sources, job, ready)
    candidate.run(reader, writer, sources, False, ready)


def _monty(
    reader: int, writer: int, sources: int, job: dict[str, Any], ready: Callable[[], None]
) -> None:
    from . import monty

    found = files.read(sources)
    server = monty.Server(reader, writer, found, job["limits"])
    ready()
    server.serve()


def _check(reader: int, writer: int, special: int, job: dict[str, Any]) -> None:
    """Take the tests from the link's first frame, before any candidate is there to write to it."""
    if "hypothesis" in job["preload"]:
        boot.warm_hypothesis(job["folder"], examples=1)
    work = wire.loads(wire.decode(wire.receive(reader)))
    wire.receive(reader)  # the candidate is set up: the time of the run begins for both
    os.chdir(job["folder"])
    timer = clock.Clock([os.getpid()])

    def ready() -> None:
        wire.send(special, "ready")

    part = {"modules": job["modules"], "seal": False, "wall_s": job["limits"]["wall_s"]}
    checker.run(reader, writer, work, special, part, ready, timer)


def _limit(limits: dict[str, Any]) -> list[str]:
    """Set what limits this system has, and name those that it took."""
    try:
        import resource
    except ImportError:
        return []
    seconds = int(limits["cpu_s"] + 1)
    wanted = {
        "RLIMIT_CPU": (seconds, seconds + 1),
        "RLIMIT_FSIZE": (limits["file_mb"] << 20,) * 2,
        "RLIMIT_NOFILE": (limits["open_files"],) * 2,
        "RLIMIT_CORE": (0, 0),
        "RLIMIT_AS": (limits["memory_mb"] << 20,) * 2,
    }
    others = threads.of_user() if sys.platform == "linux" and os.geteuid() else 0
    if others:
        wanted["RLIMIT_NPROC"] = (others + threads.MORE,) * 2
    taken = []
    for name, pair in wanted.items():
        try:
            resource.setrlimit(getattr(resource, name), pair)
        except (AttributeError, ValueError, OSError):
            continue  # macOS refuses a limit on address space
        taken.append(name.lower())
    return taken
