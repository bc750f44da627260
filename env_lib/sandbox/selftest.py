"""What the walls really hold: a child behind them tries to get out, once at boot."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable

from .walls import Walls

_LIMITS = {"cpu_s": 2, "memory_mb": 64, "file_mb": 1, "open_files": 32}
BY_SECCOMP = ("network", "processes", "signals")
BY_FILES = ("reading", "writing")


def held(walls: Walls, outside: str) -> dict[str, bool]:
    """Return what a child could not do: name -> whether it was stopped.

    Args:
        walls: The walls to try.
        outside: A folder that this user may write to and the child must not.
    """
    owner = os.getpid()
    attempts: dict[str, Callable[[], object]] = {
        "network": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM),
        "processes": _fork,
        "signals": lambda: os.kill(owner, 0),
        "reading": lambda: os.close(os.open("/etc/passwd", os.O_RDONLY)),
        "writing": lambda: os.close(os.open(f"{outside}/out", os.O_WRONLY | os.O_CREAT)),
    }
    reader, writer = os.pipe2(os.O_CLOEXEC)
    pid = os.fork()
    if pid == 0:
        _try(walls, owner, attempts, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        words = pipe.read(1000).decode().split()
    os.waitpid(pid, 0)
    return {name: name in words for name in attempts}


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _try(walls: Walls, owner: int, attempts: dict[str, Callable[[], object]], writer: int) -> None:
    try:
        os.setsid()
        walls.raise_around("candidate", _LIMITS, owner)
        walls.seal()
        for name, attempt in attempts.items():
            try:
                attempt()
            except OSError:
                os.write(writer, f"{name} ".encode())
    finally:
        os._exit(0)
