"""Landlock by its three system calls: which files a process may read and write, and no others."""

from __future__ import annotations

import ctypes
import os
import stat
import struct

_CREATE, _ADD, _RESTRICT = 444, 445, 446
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_READ = _READ_FILE | _READ_DIR
_WRITE_FILE, _TRUNCATE = 1 << 1, 1 << 14
_MAKE = 1 << 7 | 1 << 8 | 1 << 12
_CHANGE = _WRITE_FILE | _TRUNCATE | 1 << 4 | 1 << 5 | 1 << 13 | _MAKE
_FILE_RIGHTS = 1 << 0 | _WRITE_FILE | _READ_FILE | _TRUNCATE | 1 << 15
_RIGHTS_BY_ABI = (0, 13, 14, 15, 15, 16)
"""How many file rights each version of the interface knows."""


def abi(libc: ctypes.CDLL) -> int:
    """Return the version that the kernel speaks, 0 where there is no Landlock."""
    return max(0, libc.syscall(_CREATE, None, ctypes.c_size_t(0), 1))


def _handled(version: int) -> bytes:
    files = (1 << _RIGHTS_BY_ABI[min(version, 5)]) - 1
    parts = [files]
    if version >= 4:
        parts.append(3)  # TCP: neither bind nor connect
    if version >= 6:
        parts.append(3)  # neither abstract sockets nor signals beyond the wall
    return struct.pack(f"={len(parts)}Q", *parts)


class Ruleset:
    """Folders and files that may be read, and those that may also be changed."""

    def __init__(self, libc: ctypes.CDLL) -> None:
        self._libc = libc
        self._version = abi(libc)
        attributes = _handled(self._version)
        self._known = (1 << _RIGHTS_BY_ABI[min(self._version, 5)]) - 1
        self.fd = self._call(_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)

    def _call(self, *arguments: object) -> int:
        result = int(self._libc.syscall(*arguments))
        if result < 0:
            raise OSError(ctypes.get_errno(), f"Landlock call {arguments[0]} failed")
        return result

    def allow(self, path: str, change: bool = False) -> None:
        """Allow a path and what is beneath it; one that does not exist is passed over."""
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            return
        try:
            rights = (_READ | _CHANGE if change else _READ) & self._known
            if not stat.S_ISDIR(os.fstat(fd).st_mode):
                rights &= _FILE_RIGHTS
            rule = struct.pack("=Qi", rights, fd)
            self._call(_ADD, self.fd, 1, rule, 0)
        finally:
            os.close(fd)

    def restrict(self) -> None:
        """Stand behind the rules from now on; needs no-new-privileges."""
        self._call(_RESTRICT, self.fd, 0)
        os.close(self.fd)
