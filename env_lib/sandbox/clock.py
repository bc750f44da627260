"""Time that a run has had, without what it spent waiting for a busy machine's processors."""

from __future__ import annotations

import os
import time

_FLAGS = os.O_RDONLY | getattr(os, "O_CLOEXEC", 0)
MOST = 10.0
"""However busy the machine, the clock on the wall may show no more than this many times a limit."""


class Clock:
    """Counts from its making; knows the waiting of processes where the kernel reports it."""

    def __init__(self, pids: list[int]) -> None:
        self._fds: list[int] = []
        for pid in pids:
            try:
                self._fds.append(os.open(f"/proc/{pid}/schedstat", _FLAGS))
            except OSError:
                continue  # a kernel without these numbers: the clock on the wall counts alone
        self.start()

    def start(self) -> None:
        """Count from now."""
        self._began, self._waited = time.monotonic(), self._waiting()

    def _waiting(self) -> float:
        total = 0
        for fd in self._fds:
            try:
                total += int(os.pread(fd, 100, 0).split()[1])
            except (OSError, IndexError, ValueError):
                continue  # the process has ended
        return total / 1e9

    @property
    def fds(self) -> list[int]:
        """Descriptors to keep open."""
        return self._fds

    def left(self, limit: float) -> float:
        """Return how many of `limit` seconds are left, 0 or less when they are spent."""
        wall = time.monotonic() - self._began
        waited = max(0.0, self._waiting() - self._waited)
        return min(limit - (wall - waited), MOST * limit - wall)

    def close(self) -> None:
        """Let go of the descriptors."""
        for fd in self._fds:
            os.close(fd)
        self._fds = []
