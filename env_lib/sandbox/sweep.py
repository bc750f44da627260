"""Emptying a folder that untrusted code filled: no link followed, no depth too deep."""

from __future__ import annotations

import os
import stat
from pathlib import Path

_FLAGS = os.O_RDONLY
for _name in ("O_DIRECTORY", "O_NOFOLLOW", "O_CLOEXEC"):
    _FLAGS |= getattr(os, _name, 0)  # Windows has none of them, and never sweeps


def empty(folder: str) -> None:
    """Remove all that is in a folder and keep the folder itself; its owner must be dead by now.

    Folders inside are flattened, their content moved up before they go, so that neither the
    length of a path nor the depth of a recursion sets a limit.
    """
    root = os.open(folder, _FLAGS)
    try:
        count = 0
        while names := os.listdir(root):  # noqa: PTH208 - of a descriptor
            for name in names:
                if not stat.S_ISDIR(os.stat(name, dir_fd=root, follow_symlinks=False).st_mode):
                    os.unlink(name, dir_fd=root)
                    continue
                count = _flatten(root, name, count)
                os.rmdir(name, dir_fd=root)
    finally:
        os.close(root)


def _flatten(root: int, name: str, count: int) -> int:
    try:
        inside = os.open(name, _FLAGS, dir_fd=root)
    except PermissionError:
        os.chmod(name, 0o700, dir_fd=root)
        inside = os.open(name, _FLAGS, dir_fd=root)
    try:
        for child in os.listdir(inside):  # noqa: PTH208 - of a descriptor
            kind = os.stat(child, dir_fd=inside, follow_symlinks=False).st_mode
            if not stat.S_ISDIR(kind):
                os.unlink(child, dir_fd=inside)
                continue
            count += 1
            os.rename(child, f".swept-{count}-{os.urandom(8).hex()}", src_dir_fd=inside,
                      dst_dir_fd=root)  # fmt: skip
    finally:
        os.close(inside)
    return count


def size(folder: str, stop: int) -> int:
    """Return how many bytes the files beneath a folder hold, or any number above `stop`."""
    total, waiting = 0, [folder]
    while waiting and total <= stop:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                        total += 1024
                    else:
                        total += entry.stat(follow_symlinks=False).st_size + 256
        except OSError:
            continue  # gone meanwhile, too deep to name, or closed to us
    return total


def remove(base: str) -> None:
    """Remove a zygote's whole folder; nothing happens where it is gone already."""
    try:
        empty(base)
        Path(base).rmdir()
    except FileNotFoundError:
        return
