"""What a run may read: the interpreter, its libraries and the preloaded packages; no more.

Hidden tests may lie beside installed packages, so package folders as a whole are never granted.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

_PACKAGES = ("site-packages", "dist-packages")
_SYSTEM = (
    "/lib64",
    "/usr/lib64",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/usr/share/zoneinfo",
    "/dev/urandom",
    "/dev/zero",
)


def paths() -> list[str]:
    """Return files and folders to grant for reading."""
    found = [*_SYSTEM, *_multiarch(), *loaded()]
    roots = {sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")}
    for root in sorted(os.path.realpath(path) for path in roots if path):
        found += _children(root)
    for folder in sorted({f"{sys.base_prefix}/lib", "/usr/lib", "/lib"}):
        found += [path for path in _children(folder) if ".so" in Path(path).name]
    return list(dict.fromkeys(os.path.realpath(path) for path in found))


def _children(folder: str) -> list[str]:
    try:
        entries = sorted(Path(folder).iterdir())
    except OSError:
        return []
    return [str(entry) for entry in entries if entry.name not in _PACKAGES]


def _multiarch() -> list[str]:
    name = sysconfig.get_config_var("MULTIARCH")
    return [f"{root}/{name}" for root in ("/lib", "/usr/lib")] if name else []


def loaded() -> Iterable[str]:
    """Yield the packages outside the standard library loaded by now, and their libraries."""
    for name, module in sorted(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if "." in name or not file or name in sys.stdlib_module_names:
            continue
        if Path(file).name.startswith("__init__."):
            yield str(Path(file).parent)
            yield f"{Path(file).parent}.libs"
        else:
            yield file
