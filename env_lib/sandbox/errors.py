"""Exceptions between processes: by name, never by code.

A builtin exception arrives as itself; any other as a fresh class of that name above its nearest
builtin ancestor, one for each (module, name). Classes registered here, such as those that a test
file defines, come back as themselves.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from . import wire

_Key = tuple[str, str]


class Unanswered(BaseException):
    """A call that got no answer; no test can catch it by `except Exception`."""


class OutOfTime(Unanswered):
    """The run's time is over."""


class CandidateGone(Unanswered):
    """The candidate's process ended, or spoke no protocol."""


class NotPlain(Unanswered):
    """A value that cannot cross."""


class Unsupported(Unanswered):
    """The interpreter behind this tier lacks a feature; another tier must be asked."""


def builtin(name: str) -> type[BaseException] | None:
    """Return the builtin exception that may be raised for `name`, if there is one."""
    kind = getattr(builtins, name, None)
    if isinstance(kind, type) and (kind is SystemExit or issubclass(kind, Exception)):
        return kind
    return None


def by_name(name: str, arguments: list[Any]) -> BaseException:
    """Return an exception of builtin class `name`, or of a fresh one."""
    return _make(builtin(name) or type(name, (Exception,), {}), arguments)


def _make(kind: type[BaseException], arguments: list[Any]) -> BaseException:
    try:
        return kind(*arguments)
    except Exception:  # a constructor that wants more than its own args
        error = kind.__new__(kind)
        error.args = tuple(arguments)
        return error


def _text(error: BaseException) -> str:
    return str(vars(error).get("_text", ""))


def describe(error: BaseException, hook: wire.Hook | None = None) -> dict[str, Any]:
    """Return the plain description of an exception; parts that are not plain become text."""

    def plain(value: Any) -> Any:
        try:
            return wire.encode(value, hook)
        except (TypeError, wire.ProtocolError):
            return str(value)[:1000]

    kind = type(error)
    extra = {str(k): plain(v) for k, v in list(vars(error).items())[:20] if str(k).isidentifier()}
    where = [error.filename, error.lineno] if isinstance(error, SyntaxError) else None
    return {
        "class": describe_class(kind),
        "args": [plain(item) for item in error.args[:20]],
        "text": str(error)[:1000],
        "vars": extra,
        "where": where,
    }


def describe_class(kind: type[BaseException]) -> list[Any]:
    """Return [module, name, builtin ancestors] of an exception class."""
    bases = [base.__name__ for base in kind.__mro__ if base.__module__ == "builtins"]
    return [str(kind.__module__), str(kind.__qualname__), bases]


class Registry:
    """Exception classes by (module, name), made when first met."""

    def __init__(self, resolve: Callable[[str, str], Any] | None = None) -> None:
        self._resolve = resolve
        self._known: dict[_Key, type[BaseException]] = {}
        self._made: set[type[BaseException]] = set()

    def add(self, kind: type[BaseException]) -> None:
        """Let this class stand for its own name."""
        self._known.setdefault((kind.__module__, kind.__qualname__), kind)

    def find(self, described: list[Any]) -> type[BaseException]:
        """Return the class that `describe_class` described."""
        module, name, bases = str(described[0]), str(described[1]), described[2]
        known = builtin(name) if module == "builtins" else self._known.get((module, name))
        if known is not None:
            return known
        own = self._resolve(module, name) if self._resolve else None
        if isinstance(own, type) and issubclass(own, BaseException):
            return own
        parents = (builtin(str(base)) for base in bases)
        parent = next((base for base in parents if base and base is not SystemExit), Exception)
        short = name.split(".")[-1][:100]
        body = {"__module__": module, "__qualname__": name[:200], "__str__": _text}
        made: type[BaseException] = type(short, (parent,), body)
        self._known[module, name] = made
        self._made.add(made)
        return made

    def rebuild(self, described: dict[str, Any], reader: wire.Reader | None) -> BaseException:
        """Return the exception that `describe` described."""
        kind = self.find(described["class"])
        arguments = [wire.decode(item, reader) for item in described["args"]]
        error = _make(kind, arguments)
        if kind in self._made:
            error.__dict__["_text"] = str(described["text"])
            for name, item in dict(described["vars"]).items():
                if str(name).isidentifier() and not str(name).startswith("__"):
                    error.__dict__[str(name)] = wire.decode(item, reader)
        elif isinstance(error, SyntaxError) and described["where"]:
            error.filename, error.lineno = described["where"]
        return error


def pack(value: Any, hook: wire.Hook, classes: Registry) -> dict[str, Any] | None:
    """Return the JSON form of an exception or of an exception class that is no builtin."""
    if isinstance(value, BaseException):
        classes.add(type(value))
        return {"x": describe(value, hook)}
    if isinstance(value, type) and issubclass(value, BaseException):
        if value.__module__ == "builtins":
            return None
        classes.add(value)
        return {"X": describe_class(value)}
    return None


def unpack(tag: str, body: Any, reader: wire.Reader, classes: Registry) -> Any:
    """Return what `pack` packed."""
    return classes.find(body) if tag == "X" else classes.rebuild(body, reader)
