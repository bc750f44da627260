"""A candidate or a checker as an ordinary child process, joined by pipes: any system has these.

The verdict is as safe as behind walls, since code and tests share no process; the machine is
not: nothing here keeps the code from files, from the network or from starting processes.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import candidate, checker, clock, files, wire

_LIMITS = ("RLIMIT_CPU", "RLIMIT_FSIZE", "RLIMIT_NOFILE", "RLIMIT_CORE", "RLIMIT_AS")


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
        from . import boot

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
    """Set what limits this system has, and name them."""
    try:
        import resource
    except ImportError:
        return []
    size = limits["file_mb"] << 20
    values = (int(limits["cpu_s"] + 1), size, limits["open_files"], 0, limits["memory_mb"] << 20)
    for name, value in zip(_LIMITS, values, strict=True):
        try:
            resource.setrlimit(getattr(resource, name), (value, value))
        except (ValueError, OSError):
            continue  # macOS refuses a limit on address space
    return ["rlimits"]
