"""Plain execution of our own generated code, in this process and without a sandbox.

Used where an episode is made (what did the provider answer before the change?) and where truth is
checked a second time, independently of the sandbox. Never for text that an agent wrote.
"""

from __future__ import annotations

import builtins
import types
from collections.abc import Mapping, Sequence
from typing import Any

from env_lib.envs.release.code import Check


class Repository:
    """The modules of a tree, imported at first use."""

    def __init__(self, files: Mapping[str, str]) -> None:
        """Take path -> source."""
        self._files = files
        self._loaded: dict[str, types.ModuleType] = {}

    def module(self, name: str) -> types.ModuleType:
        """Import `service.api` or `vendor.package`."""
        if name not in self._loaded:
            made = types.ModuleType(name)
            known = vars(builtins) | {"__import__": self._import}
            made.__dict__["__builtins__"] = known
            exec(compile(self._files[name.replace(".", "/") + ".py"], name, "exec"), made.__dict__)
            self._loaded[name] = made
        return self._loaded[name]

    def _import(self, name: str, *_: Any, **__: Any) -> types.ModuleType:
        if name == "vendor":
            package = types.ModuleType("vendor")
            for path in self._files:
                if path.startswith("vendor/"):
                    part = path[len("vendor/") : -len(".py")]
                    setattr(package, part, self.module(f"vendor.{part}"))
            return package
        return self.module(name)

    def call(self, service: str, function: str, key: str) -> Any:
        """Call a function of a service with one literal."""
        return eval(f"f({key})", {"f": getattr(self.module(f"{service}.api"), function)})


def failing(files: Mapping[str, str], checks: Sequence[Check]) -> frozenset[str]:
    """Return the ids of the checks that fail on a tree of our own."""
    repository = Repository(files)
    return frozenset(check.id for check in checks if not _passes(repository, check))


def _passes(repository: Repository, check: Check) -> bool:
    """Whether a check passes; a flaky one is tried on each of its cases until one passes."""
    cases = eval(check.cases or "[None]")
    known: dict[str, Any] = {"CASES": iter(cases)}
    for _ in cases:
        try:
            known["f"] = getattr(repository.module(f"{check.service}.api"), check.function)
            exec(check.statement.replace("@", "f"), known)
            return True
        except (AssertionError, AttributeError, LookupError, TypeError, ValueError):
            continue
    return False
