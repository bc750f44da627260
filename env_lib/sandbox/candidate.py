"""The process of the untrusted code: imports it, calls it, and sends plain data back.

Nothing secret is ever here: no test, no expected answer, no way to the report.
"""

from __future__ import annotations

import dataclasses
import functools
import operator
import os
import sys
import threading
import types
from collections.abc import Callable
from typing import Any

from . import errors, files, values, wire

Ready = Callable[[], None]
_MUTABLE = ("list", "dict", "set", "bytearray", "deque", "ndarray")

_FUNCTIONS = (
    types.FunctionType,
    types.BuiltinFunctionType,
    types.MethodType,
    functools.partial,
    type(functools.lru_cache(lambda: None)),
)
_SIGNS: dict[str, Any] = {
    "==": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "&": operator.and_,
    "|": operator.or_, "^": operator.xor, "[]": operator.getitem, "put": operator.setitem,
    "del": operator.delitem, "in": operator.contains, "hash": hash, "bool": bool, "len": len,
    "iter": iter, "neg": operator.neg, "abs": abs, "int": int, "float": float,
    "r+": lambda a, b: b + a, "r-": lambda a, b: b - a, "r*": lambda a, b: b * a,
}  # fmt: skip


class Server:
    """Answers the checker's questions about the untrusted modules, one at a time."""

    def __init__(self, reader: int, writer: int) -> None:
        self._reader, self._writer = reader, writer
        self._objects: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._callbacks: dict[int, Any] = {}
        self._classes = errors.Registry(_own)
        self._lock = threading.RLock()

    def serve(self, until_answer: bool = False) -> list[Any]:
        """Answer questions until the checker leaves, or until it answers a call of ours."""
        while True:
            try:
                message = wire.receive(self._reader)
            except wire.Gone:
                os._exit(0)
            number, kind, body = message
            if until_answer and kind in ("ok", "raise"):
                return message
            wire.send(self._writer, self._reply(number, kind, body))

    def _reply(self, number: int, kind: str, body: list[Any]) -> list[Any]:
        try:
            reply = [number, "ok", getattr(self, f"_do_{kind}")(*body)]
            wire.dumps(reply)
            return reply
        except wire.ProtocolError as error:
            return [number, "big", f"the value cannot cross: {error}"]
        except BaseException as error:  # whatever untrusted code raises is an answer
            return [number, "raise", errors.describe(error, self._hook)]
        finally:
            for stream in (sys.stdout, sys.stderr):
                if stream is not None and not stream.closed:
                    stream.flush()

    def _do_import(self, name: str) -> bool:
        __import__(name)
        return hasattr(sys.modules[name], "__path__")

    def _resolve(self, root: str | int, path: list[str]) -> Any:
        value = self._objects[root] if isinstance(root, int) else sys.modules[root]
        for part in path:
            value = getattr(value, part)
        return value

    def _do_get(self, root: str | int, path: list[str]) -> Any:
        if path[-1] == "__all__" and not hasattr(self._resolve(root, path[:-1]), "__all__"):
            return [name for name in dir(self._resolve(root, path[:-1])) if name[0] != "_"]
        value = self._resolve(root, path)
        if isinstance(value, type) and issubclass(value, BaseException):
            return self._pack(value)
        if isinstance(value, types.ModuleType):
            return {"v": "module"}
        if isinstance(value, type):
            return self._pack(value) if value.__module__ == "builtins" else {"v": "class"}
        if isinstance(value, _FUNCTIONS):
            return {"v": "function"}
        return self._pack(value)

    def _do_set(self, root: str | int, path: list[str], value: Any) -> None:
        setattr(self._resolve(root, path[:-1]), path[-1], self._unpack(value))

    def _do_call(
        self, root: Any, path: list[str], args: list[Any], kwargs: dict[str, Any], hold: bool
    ) -> list[Any]:
        function = self._resolve(root, path)
        packed = [*args, *kwargs.values()]
        given = [self._unpack(item) for item in packed]
        named = dict(zip(kwargs, given[len(args) :], strict=True))
        value = function(*given[: len(args)], **named)
        result, changed, same = self._pack(value, hold), [], None
        for index, (item, before) in enumerate(zip(given, packed, strict=True)):
            if type(item).__name__ in _MUTABLE:
                after = self._pack(item)
                if after != before:
                    changed.append([index, after])
                if item is value:
                    same = index
        return [result, changed, same]

    def _do_op(self, sign: str, number: int, *others: Any) -> Any:
        value = _SIGNS[sign](self._objects[number], *map(self._unpack, others))
        return self._pack(value, hold=True)

    def _do_isinstance(self, number: int, root: str | int, path: list[str]) -> bool:
        return isinstance(self._objects[number], self._resolve(root, path))

    def _do_fields(self, number: int) -> Any:
        value = self._objects[number]
        if not dataclasses.is_dataclass(value):
            return None
        fields = {item.name: getattr(value, item.name) for item in dataclasses.fields(value)}
        return wire.encode(values.Fields(values.owner(value), fields), self._hook)

    def _pack(self, value: Any, hold: bool = False) -> Any:
        if hold and dataclasses.is_dataclass(value) and not isinstance(value, type):
            return self._hold(value)
        return wire.encode(value, self._hook)

    def _hold(self, value: Any) -> dict[str, Any]:
        number = self._numbers.setdefault(id(value), len(self._objects))
        if number == len(self._objects):
            self._objects.append(value)
        return {"h": [number, type(value).__name__]}

    def _hook(self, value: Any, last: bool) -> Any:
        if last or id(value) in self._numbers:
            return self._hold(value)
        if isinstance(value, Callback):
            return {"k": value.number}
        if isinstance(value, types.CoroutineType):
            return self._finish(value)
        return errors.pack(value, self._hook, self._classes)

    def _finish(self, coroutine: Any) -> dict[str, Any]:
        import asyncio

        try:
            return {"A": [self._pack(asyncio.run(coroutine)), None]}
        except Exception as error:  # untrusted code's own, raised where the checker awaits
            return {"A": [None, errors.describe(error, self._hook)]}

    def _unpack(self, data: Any) -> Any:
        return wire.decode(data, self._read)

    def _read(self, tag: str, body: Any) -> Any:
        if tag == "h":
            return self._objects[body]
        if tag == "p":
            return self._resolve(*body)
        if tag == "k":
            return self._callbacks.setdefault(body[0], Callback(self, body[0], body[1]))
        if tag in ("X", "x"):
            return errors.unpack(tag, body, self._read, self._classes)
        own = _own(str(body[0]), str(body[1]))
        if not isinstance(own, type):
            return None
        if tag == "e":
            return own[body[2]]  # type: ignore[index]
        if tag == "r":
            return own._make(body[3])  # type: ignore[attr-defined]
        made: Any = object.__new__(own)
        for name, item in zip(body[2], body[3], strict=True):
            object.__setattr__(made, name, item)
        return made

    def call_back(self, number: int, args: Any, kwargs: dict[str, Any]) -> Any:
        """Call a function of the tests', in the checker's process."""
        with self._lock:
            packed = [self._pack(item) for item in args]
            named = {name: self._pack(item) for name, item in kwargs.items()}
            wire.send(self._writer, [0, "call", [number, packed, named]])
            _, status, body = self.serve(until_answer=True)
        if status == "raise":
            raise self._classes.rebuild(body, self._read)
        return self._unpack(body)


class Callback:
    """A function of the tests', as the candidate sees it."""

    def __init__(self, server: Server, number: int, name: str) -> None:
        self._server, self.number = server, number
        self.__name__ = self.__qualname__ = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Ask the checker."""
        return self._server.call_back(self.number, args, kwargs)


def _own(module: str, name: str) -> Any:
    value: Any = sys.modules.get(module)
    for part in name.split("."):
        value = getattr(value, part, None)
    return value


def run(reader: int, writer: int, sources: int, seal: bool, ready: Ready) -> None:
    """Read the files, say that all is set, and serve; never returns."""
    found = files.read(sources)
    files.install(found, write=not seal)
    if seal:
        files.load_standard(found)
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True, errors="backslashreplace")  # type: ignore[union-attr]
    files.seed()
    files.hide(("pytest", "_pytest", "hypothesis"), __package__ or "env_lib")
    ready()
    Server(reader, writer).serve()
