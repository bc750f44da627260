"""Where a public name lives: its owner, and all the modules that know the same object by it."""

from __future__ import annotations

import importlib
import sys
import types
from collections.abc import Iterator
from typing import Any


class Unfit(Exception):
    """A change that cannot be made on what is installed."""


def found(target: str) -> tuple[Any, str, Any]:
    """Return (module or class, name in it, the object) of a dotted name.

    Raises:
        Unfit: there is no such thing.
    """
    parts = target.split(".")
    if len(parts) < 2 or not all(part.isidentifier() for part in parts):
        raise Unfit(f"{target!r} is no dotted name of a library")
    owner, rest = _module(parts)
    for name in rest[:-1]:
        owner = _attribute(owner, name, target)
    return owner, rest[-1], _attribute(owner, rest[-1], target)


def _module(parts: list[str]) -> tuple[Any, list[str]]:
    module: Any = None
    for count in range(1, len(parts)):
        name = ".".join(parts[:count])
        try:
            module = importlib.import_module(name)
        except ImportError:
            if module is None:
                raise Unfit(f"there is no module {name}") from None
            break
        rest = parts[count:]
    return module, rest


def _attribute(owner: Any, name: str, target: str) -> Any:
    try:
        return getattr(owner, name)
    except AttributeError:
        raise Unfit(f"{target} does not exist: {owner!r:.80} has no {name}") from None


def bindings(owner: Any, name: str, value: Any) -> list[Any]:
    """Return the modules of the owner's library that know an object by a name, the owner first."""
    top = owner.__name__.split(".")[0]
    modules = [owner]
    for other, module in list(sys.modules.items()):
        if other.split(".")[0] != top or module is owner or not _is_module(module):
            continue
        lazy = name in (vars(module).get("_class_to_module") or ())
        if vars(module).get(name) is value or (lazy and getattr(module, name, None) is value):
            modules.append(module)
    return modules


def _is_module(value: Any) -> bool:
    return isinstance(value, types.ModuleType)


def below(kind: type) -> Iterator[type]:
    """Yield a class and all that inherit from it."""
    seen: set[type] = {kind}
    waiting: list[type] = [kind]
    while waiting:
        one = waiting.pop()
        yield one
        children: list[type] = type.__subclasses__(one)
        for other in children:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
