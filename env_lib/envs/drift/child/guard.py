"""Who calls: the script, which meets a drift, or a library, which keeps its own names.

A caller is known by the identity of its globals, which no file name and no attribute can fake.
Frames of ours and of the standard library are looked through, and so are those that look a name
up a second time.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from collections.abc import Callable
from typing import Any

_SECOND_LOOKS = ("__getattr__", "__getattribute__")
_users: list[dict[str, Any]] = []
_shown: dict[Any, inspect.Signature | None] = {}
Call = Callable[..., Any]
Meet = Callable[[Call, tuple[Any, ...], dict[str, Any]], Any]
"""What a script's call becomes: (the real callable, arguments, keywords) -> the value."""


def is_user(space: dict[str, Any]) -> None:
    """Say that code with these globals is a script's."""
    _users.append(space)


def by_user(depth: int = 2) -> bool:
    """Whether the caller of our caller is a script; a thread of its own counts as one."""
    frame = sys._getframe(depth) if depth else None
    while frame is not None:
        space = frame.f_globals
        if any(space is user for user in _users):
            return True
        name = str(space.get("__name__", ""))
        through = frame.f_code.co_name in _SECOND_LOOKS or name.split(".")[0] in _THROUGH
        if not through:
            return False
        frame = frame.f_back
    return True


_THROUGH = frozenset({*sys.stdlib_module_names, (__package__ or __name__).split(".")[0]})


def met(function: Call, meet: Meet, signature: inspect.Signature | None) -> Call:
    """Return a function that a script meets as `meet` says, and a library as it is."""

    @functools.wraps(function)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        if by_user():
            return meet(function, args, kwargs)
        return function(*args, **kwargs)

    del guarded.__wrapped__  # it would hand the script what it no longer has
    with contextlib.suppress(TypeError, ValueError):
        guarded.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    _shown[guarded] = signature
    return guarded


def shown(function: Any) -> inspect.Signature | None:
    """Return the signature that a script should see of a drifted function; None for others.

    `inspect.signature` itself stays as libraries know it, which build on it: the duty's own look
    at a signature asks here first.
    """
    return _shown.get(function) if inspect.isfunction(function) else None


def is_hidden(owner: Any, name: str) -> bool:
    """Whether a script does not find a name that is there."""
    if name in getattr(type(owner), "_hidden_names", ()):
        return True
    kinds = owner.__mro__ if isinstance(owner, type) else type(owner).__mro__
    value = next((vars(kind)[name] for kind in kinds if name in vars(kind)), None)
    return isinstance(value, Hidden)


class Hidden:
    """A class's attribute that a script does not find; `other` is the name that it has now."""

    def __init__(self, value: Any, owner: type, name: str, other: str = "") -> None:
        self._value, self._owner, self._name, self._other = value, owner, name, other

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if by_user():
            if instance is None:
                kind = getattr(owner, "__name__", "")
                text = f"type object '{kind}' has no attribute '{self._name}'"
            else:
                text = f"'{type(instance).__name__}' object has no attribute '{self._name}'"
            raise AttributeError(text, name=self._name, obj=owner if instance is None else instance)
        own = self._overridden(owner) if self._other else None
        value = self._value if own is None else own
        get = getattr(type(value), "__get__", None)
        return value if get is None else get(value, instance, owner)

    def _overridden(self, owner: type | None) -> Any:
        """Return what a script's subclass defines under the new name: the library must call it."""
        for kind in getattr(owner, "__mro__", ()):
            if kind is self._owner:
                return None
            if self._other in vars(kind):
                return vars(kind)[self._other]
        return None


def hide(module: Any, name: str) -> None:
    """Let a script not find a name in a module, whatever else looks there."""
    kind = type(module)
    hidden = getattr(kind, "_hidden_names", None)
    if hidden is None:
        hidden = set()
        module.__class__ = _guarded(kind, hidden)
    hidden.add(name)


def _guarded(kind: Any, hidden: set[str]) -> Any:
    def refuse(module: Any, name: str) -> None:
        if name in hidden and by_user(3):
            text = f"module '{vars(module)['__name__']}' has no attribute '{name}'"
            raise AttributeError(text, name=name, obj=module)

    def look(self: Any, name: str) -> Any:
        refuse(self, name)
        return kind.__getattribute__(self, name)

    def again(self: Any, name: str) -> Any:
        refuse(self, name)
        return kind.__getattr__(self, name)

    body: dict[str, Any] = {
        "__getattribute__": look,
        "_hidden_names": hidden,
        "__module__": kind.__module__,
    }
    if hasattr(kind, "__getattr__"):
        body["__getattr__"] = again
    return type(kind.__name__, (kind,), body)
