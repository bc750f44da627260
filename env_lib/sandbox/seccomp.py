"""A filter on system calls, assembled here: what a run may ask of the kernel."""

from __future__ import annotations

import ctypes
import errno
import platform
import struct

from . import syscalls

_ARCHES = {"x86_64": (0, 0xC000003E), "amd64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7),
           "arm64": (1, 0xC00000B7)}  # fmt: skip
_X32 = 0x40000000
_ALLOW, _KILL, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_LOAD, _EQUAL, _GREATER, _BITS, _RETURN = 0x20, 0x15, 0x25, 0x45, 0x06
_THREAD, _NEW = 0x00010000, 0x7E020080
"""clone: a thread is allowed; new namespaces never."""
_TRUNCATE = 0x200
_FCNTL = (0, 1, 2, 3, 4, 5, 6, 7, 1030, 1032)
"""Duplicating, flags, locks, pipe size; not F_SETOWN, which makes the kernel signal others."""
_IOCTL = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
_PRCTL = (3, 15, 16, 21, 23, 39, 0x53564D41)
_PR_SET_SECCOMP, _MODE_FILTER = 22, 2
Step = tuple[int, int, int, int]


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("steps", ctypes.c_void_p)]


def supported() -> bool:
    """Whether there is a table for this processor."""
    return platform.machine().lower() in _ARCHES


def _refuse(number: int) -> Step:
    return (_RETURN, 0, 0, _ERRNO | number)


_YES: Step = (_RETURN, 0, 0, _ALLOW)


def _argument(index: int, high: bool = False) -> Step:
    return (_LOAD, 0, 0, 16 + 8 * index + 4 * high)


def _one_of(index: int, values: tuple[int, ...], error: int) -> list[Step]:
    steps = [_argument(index)]
    for value in values:
        steps += [(_EQUAL, 0, 1, value), _YES]
    return [*steps, _refuse(error)]


def _opening(index: int, sealed: bool) -> list[Step]:
    if sealed:
        return [_refuse(errno.EACCES)]
    no = _refuse(errno.EPERM)  # read-only with O_TRUNC: old Landlock does not see that it writes
    return [_argument(index), (_BITS, 2, 0, 3), (_BITS, 0, 1, _TRUNCATE), no, _YES]


def _no_address() -> list[Step]:
    no = _refuse(errno.EPERM)
    return [_argument(4), (_EQUAL, 0, 2, 0), _argument(4, True), (_EQUAL, 1, 0, 0), no, _YES]


def _checked(sealed: bool) -> dict[str, list[Step]]:
    no = _refuse(errno.EPERM)
    return {
        "open": _opening(1, sealed),
        "openat": _opening(2, sealed),
        "fcntl": _one_of(1, _FCNTL, errno.EINVAL),
        "ioctl": _one_of(1, _IOCTL, errno.ENOTTY),
        "prctl": _one_of(0, _PRCTL, errno.EPERM),
        "clone": [_argument(0), (_BITS, 1, 0, _THREAD), no, (_BITS, 0, 1, _NEW), no, _YES],
        "socketpair": [_argument(0), (_EQUAL, 1, 0, 1), no, _argument(1), (0x54, 0, 0, 0xF),
                       (_EQUAL, 1, 0, 1), no, _YES],
        "sendto": _no_address(),
        "recvfrom": _no_address(),
        "prlimit64": _one_of(0, (0,), errno.EPERM),
    }  # fmt: skip


def program(sealed: bool, machine: str = "") -> bytes:
    """Return the filter for a processor, this one by default, as an array of `sock_filter`.

    Args:
        sealed: Refuse every opening of a file, too.
        machine: As `platform.machine()` names it.
    """
    column, arch = _ARCHES[(machine or platform.machine()).lower()]
    steps: list[Step] = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, arch), (_RETURN, 0, 0, _KILL)]
    steps += [(_LOAD, 0, 0, 0), (_GREATER, 0, 1, syscalls.LAST), _refuse(errno.ENOSYS)]
    texts = [syscalls.FREE] if sealed else [syscalls.FREE, syscalls.CHANGES]
    for text in texts:
        for number in syscalls.table(text, column).values():
            steps += [(_EQUAL, 0, 1, number), _YES]
    for number in syscalls.table(syscalls.ABSENT, column).values():
        steps += [(_EQUAL, 0, 1, number), _refuse(errno.ENOSYS)]
    blocks = _checked(sealed)
    for name, number in syscalls.table(syscalls.CHECKED, column).items():
        block = blocks[name]
        steps += [(_EQUAL, 0, len(block), number), *block]
    steps.append(_refuse(errno.EPERM))
    return b"".join(struct.pack("=HBBI", *step) for step in steps)


class Filter:
    """A program ready to be installed; kept, so that its memory outlives the call."""

    def __init__(self, sealed: bool) -> None:
        data = program(sealed)
        self._steps = ctypes.create_string_buffer(data, len(data))
        self._program = _Program(len(data) // 8, ctypes.addressof(self._steps))

    def install(self, libc: ctypes.CDLL) -> None:
        """Stand behind the filter from now on; needs no-new-privileges."""
        address = ctypes.c_void_p(ctypes.addressof(self._program))
        if libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, address, 0, 0):
            raise OSError(ctypes.get_errno(), "the kernel took no seccomp filter")
