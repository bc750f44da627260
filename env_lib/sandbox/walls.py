"""The walls around a child process, put up one by one; each returns its name."""

from __future__ import annotations

import ctypes
import math
import os
import resource
import signal
import sys
from pathlib import Path
from typing import Any

from . import landlock, readable, seccomp, threads

_PDEATHSIG, _SET_DUMPABLE, _CAP_DROP, _NO_NEW_PRIVS, _AMBIENT = 1, 4, 24, 38, 47
_CAPABILITIES = 64
_CAP_VERSION = 0x20080522
_FIRST_UID, _UIDS = 61184, 4000
"""A range that distributions leave to transient services."""


def libc() -> ctypes.CDLL:
    """Return the C library, with errno kept."""
    return ctypes.CDLL(None, use_errno=True)


def undumpable(library: ctypes.CDLL) -> bool:
    """Close this process's memory and files in /proc to others of the same user; whether it is."""
    return bool(library.prctl(_SET_DUMPABLE, 0, 0, 0, 0) == 0)


def reachable_by_others(path: Path) -> bool:
    """Whether any user may enter a folder: what a throwaway user needs to load a library."""
    return all(folder.stat().st_mode & 0o001 for folder in (path, *path.parents))


class Walls:
    """What is the same for all children of one zygote, prepared once."""

    def __init__(self, folders: dict[str, str], without: tuple[str, ...] = ()) -> None:
        self._libc = libc()
        self._bound()
        self._folders = folders
        self._filter: seccomp.Filter | None = None
        self._rules: dict[str, landlock.Ruleset] = {}
        if "landlock" not in without and landlock.abi(self._libc):
            granted = readable.paths()
            for role, folder in folders.items():
                self._rules[role] = landlock.Ruleset(self._libc)
                for path in granted:
                    self._rules[role].allow(path)
                self._rules[role].allow(folder, change=True)
                self._rules[role].allow("/dev/null", change=True)
        if "seccomp" not in without and seccomp.supported():
            self._filter = seccomp.Filter(sealed=not self._rules)
        self.sealed = self._filter is not None and not self._rules
        self.uid = self._throwaway() if "uid" not in without else 0
        self.recount()
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        self._taken = pages * os.sysconf("SC_PAGE_SIZE")

    def _bound(self) -> None:
        """Empty the sets from which a child could gain a capability; what is held stays held."""
        self._libc.prctl(_AMBIENT, 4, 0, 0, 0)
        for capability in range(_CAPABILITIES):
            if self._libc.prctl(_CAP_DROP, capability, 0, 0, 0):
                break

    def _throwaway(self) -> int:
        needed = [Path(path) for path in readable.loaded()]
        folders = {path if path.is_dir() else path.parent for path in needed if path.exists()}
        folders.add(Path(sys.base_prefix).resolve())
        if os.geteuid() or not all(map(reachable_by_others, folders)):
            return 0
        return _FIRST_UID + os.getpid() % _UIDS

    def recount(self) -> None:
        """Count who shares the limit on processes, before a run: a throwaway user is alone.

        Root has no such limit.
        """
        self._others = threads.of_user() if os.geteuid() else 0

    def handles(self, role: str) -> list[int]:
        """Return the descriptors that a child must keep until its walls stand."""
        return [self._rules[role].fd] if role in self._rules else []

    @property
    def tier(self) -> str:
        """How far these walls contain: full, sealed or process."""
        if self._filter is None:
            return "process"
        return "sealed" if self.sealed else "full"

    def facts(self) -> dict[str, Any]:
        """Return what there is of each optional wall, for reports."""
        uid: bool | str = bool(self.uid)
        if not uid:
            uid = "only root can take another user's place"
            if os.geteuid() == 0:
                uid = "not used: other users cannot enter the interpreter's folder"
        return {
            "tier": self.tier,
            "landlock": landlock.abi(self._libc) if self._rules else 0,
            "seccomp": self._filter is not None,
            "uid": uid,
        }

    def raise_around(self, role: str, limits: dict[str, Any], parent: int) -> list[str]:
        """Put up everything but the seccomp filter around this process."""
        os.umask(0o077)
        os.chdir(self._folders[role])
        names = ["session", "folder", *self._limit(limits)]
        if self.uid:
            os.setgroups([])
            os.setresgid(self.uid, self.uid, self.uid)
            os.setresuid(self.uid, self.uid, self.uid)
            names.append("uid")
        if not self._drop_capabilities():
            names.append("capabilities")
        if undumpable(self._libc):
            names.append("dumpable")
        if self._libc.prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0) == 0:
            names.append("pdeathsig")
        if os.getppid() != parent:
            os._exit(70)
        if self._libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "no-new-privileges was refused")
        names.append("no_new_privs")
        if role in self._rules:
            self._rules[role].restrict()
            names.append("landlock")
        return names

    def seal(self) -> list[str]:
        """Put up the seccomp filter, the last of the walls."""
        if self._filter is None:
            return []
        self._filter.install(self._libc)
        return ["seccomp"]

    def _limit(self, limits: dict[str, Any]) -> list[str]:
        seconds = math.ceil(limits["cpu_s"])
        size = limits["file_mb"] << 20
        wanted = {
            "AS": self._taken + (limits["memory_mb"] << 20),
            "FSIZE": size,
            "NOFILE": limits["open_files"],
            "CORE": 0,
            "MEMLOCK": 0,
        }
        if self.uid or self._others:
            wanted["NPROC"] = self._others + threads.MORE
        for name, value in wanted.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
        return ["rlimit_cpu", *(f"rlimit_{name.lower()}" for name in wanted)]

    def _drop_capabilities(self) -> int:
        """Return 0 when this process holds none; it can gain none either, see `_bound`."""
        head = (ctypes.c_uint32 * 2)(_CAP_VERSION, 0)
        none = (ctypes.c_uint32 * 6)()
        return int(self._libc.capset(head, none))
