"""How many threads this user has: what a limit on processes is counted from."""

from __future__ import annotations

import os
from pathlib import Path

MORE = 64
"""Processes and threads that a run may have beside those that are there."""


def of_user() -> int:
    """Return the number of this user's threads; 0 where Linux's /proc does not tell.

    A process that ends meanwhile is left out. Threads of the same user in other containers count
    for the kernel and are not seen.
    """
    found, me = 0, os.geteuid()
    if not Path("/proc/self/task").is_dir():
        return 0
    with os.scandir("/proc") as entries:
        for entry in entries:
            try:
                if entry.name.isdigit() and entry.stat().st_uid == me:
                    found += Path(entry.path, "task").stat().st_nlink - 2
            except OSError:
                continue
    return found
