"""The files of a run, inside its process: written to its folder, imported from memory."""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import importlib.util
import os
import random
import sys
import types
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from . import wire

_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_LOUD = ("antigravity", "idlelib", "test", "this", "turtle")
"""Modules that print, open windows or browsers when imported."""


def read(fd: int) -> dict[str, bytes]:
    """Return the files that a descriptor holds, and close it."""
    os.lseek(fd, 0, os.SEEK_SET)
    with os.fdopen(fd, "rb") as file:
        data = wire.loads(file.read())
    return {name: wire.decode(body) for name, body in data}


def install(found: dict[str, bytes], write: bool) -> None:
    """Make the files importable by name, and write them to the working folder if asked."""
    sys.meta_path.insert(_place(), Memory(found))
    if not write:
        return
    for name, body in found.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        fd = os.open(name, _NEW, 0o600)
        view = memoryview(body)
        while view:
            view = view[os.write(fd, view) :]
        os.close(fd)


def _place() -> int:
    finders: list[Any] = sys.meta_path
    last = importlib.machinery.PathFinder
    return finders.index(last) if last in finders else len(finders)


class Memory(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports modules from the files of a run."""

    def __init__(self, found: dict[str, bytes]) -> None:
        self._found = found

    def _file(self, name: str) -> tuple[str, bool]:
        base = name.replace(".", "/")
        for path, package in ((f"{base}/__init__.py", True), (f"{base}.py", False)):
            if path in self._found:
                return path, package
        return "", False

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        """Return the spec of a module that one of the files holds."""
        file, package = self._file(name)
        if not file:
            return None
        spec = importlib.machinery.ModuleSpec(name, self, origin=file, is_package=package)
        spec.has_location = True
        return spec

    def get_source(self, name: str) -> str:
        """Return the text of a module, for tracebacks."""
        return self._found[self._file(name)[0]].decode(errors="replace")

    def exec_module(self, module: types.ModuleType) -> None:
        """Compile and run a module; what cannot be read as source is a SyntaxError."""
        file, _ = self._file(module.__name__)
        try:
            code = compile(self._found[file], file, "exec", dont_inherit=True)
        except ValueError as error:  # NUL bytes, and bytes that are no text
            raise SyntaxError(str(error), (file, 1, 0, "")) from None
        exec(code, module.__dict__)


def standard_names(sources: Iterable[bytes | str]) -> set[str]:
    """Return the modules of the standard library that these sources will want."""
    names: set[str] = set()
    for source in sources:
        try:
            tree = ast.parse(source)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.AsyncFunctionDef):
                names.add("asyncio")
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names |= {node.module, *(f"{node.module}.{item.name}" for item in node.names)}
    return {name for name in names if name.split(".")[0] in sys.stdlib_module_names}


def load_standard(found: dict[str, bytes]) -> None:
    """Import what the sources will want of the standard library, while files can be opened."""
    for name in sorted(standard_names(body for path, body in found.items() if path[-3:] == ".py")):
        if name.split(".")[0] in _LOUD:
            continue
        try:
            __import__(name)
        except ImportError:
            continue  # a name inside a module, or a part that this system lacks


def seed() -> None:
    """Set the random numbers that every run starts with; a fork would draw its own."""
    random.seed(0)
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        numpy.seed(0)


def hide(names: Sequence[str], package: str) -> None:
    """Take modules out of sight, and our own package with all its parts."""
    for name in [name for name in sys.modules if name.startswith(package)]:
        del sys.modules[name]
    for name in names:
        sys.modules.pop(name, None)
