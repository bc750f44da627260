"""The candidate in Monty, an interpreter of its own for a subset of Python, with no way out.

One module without parts of its own, functions of plain data. What may be a gap of the subset is
answered as unsupported, and never as a failure of the code: another tier is asked then.
"""

from __future__ import annotations

import ast
from typing import Any

from . import candidate, errors, wire

_SURE = (ArithmeticError, AssertionError, LookupError, ValueError, StopIteration)
"""Exceptions that speak of the code; any other may be a gap of the subset."""
_CALL = "_value = {name}(*_args, **_named)\n[_value, _args, _named, [x is _value for x in _args]]"


class Server(candidate.Server):
    """Answers the checker's questions with a Monty session."""

    def __init__(
        self, reader: int, writer: int, found: dict[str, bytes], limits: dict[str, Any]
    ) -> None:
        super().__init__(reader, writer)
        import pydantic_monty

        self._found = {name.removesuffix(".py"): body for name, body in found.items()}
        self._gaps: dict[str, ast.AST] = {}
        self._api = pydantic_monty
        pool = pydantic_monty.Monty(request_timeout=2 * limits["wall_s"]).__enter__()
        self._session = pool.checkout(
            limits={
                "max_feed_duration_secs": limits["wall_s"],
                "max_memory": limits["memory_mb"] << 20,
            }
        ).__enter__()

    def _reply(self, number: int, kind: str, body: list[Any]) -> list[Any]:
        try:
            result = getattr(self, f"_do_{kind}")(*body)
            wire.dumps(result)
            return [number, "ok", result]
        except _Gap as gap:
            return [number, "unsupported", str(gap)]
        except SyntaxError as error:
            return [number, "raise", errors.describe(error)]
        except self._api.MontyRuntimeError as error:
            inner = error.exception()
            if isinstance(inner, _SURE):
                return [number, "raise", errors.describe(inner)]
            return [number, "unsupported", f"{type(inner).__name__}: {inner}"]
        except (self._api.MontyError, TypeError, AttributeError, ValueError, KeyError) as error:
            return [number, "unsupported", f"{type(error).__name__}: {error}"]

    def _feed(self, code: str, inputs: dict[str, Any] | None = None) -> Any:
        return self._session.feed_run(code, inputs=inputs, print_callback=_print)

    def _do_import(self, name: str) -> bool:
        if len(self._found) != 1 or name not in self._found:
            raise _Gap("Monty takes one module")
        source = self._found[name]
        try:
            tree = ast.parse(source, f"{name}.py")
        except ValueError as error:
            raise SyntaxError(str(error), (f"{name}.py", 1, 0, "")) from None
        for node in tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
                self._gaps[node.name] = node
        self._feed(source.decode())
        return False

    def _do_get(self, root: str | int, path: list[str]) -> Any:
        if len(path) != 1 or not path[0].isidentifier():
            raise _Gap(f"attribute {'.'.join(path)}")
        node = self._gaps.get(path[0])
        if isinstance(node, ast.FunctionDef):
            return {"v": "function"}
        if node is not None or path[0].startswith("__"):
            raise _Gap(f"{path[0]} is no plain function")
        return wire.encode(self._feed(path[0]))

    def _do_call(
        self, root: Any, path: list[str], args: list[Any], kwargs: dict[str, Any], hold: bool
    ) -> list[Any]:
        if len(path) != 1 or not path[0].isidentifier():
            raise _Gap(f"call of {'.'.join(path)}")
        given = [wire.decode(item) for item in args]
        named = {name: wire.decode(item) for name, item in kwargs.items()}
        code = _CALL.format(name=path[0])
        value, after, after_named, same = self._feed(code, {"_args": given, "_named": named})
        late = [wire.encode(item) for item in [*after, *after_named.values()]]
        before = [*args, *kwargs.values()]
        pairs = enumerate(zip(before, late, strict=True))
        changed = [[index, new] for index, (old, new) in pairs if old != new]
        mutable = isinstance(value, (list, dict, set, bytearray))
        index = same.index(True) if mutable and True in same else None
        return [wire.encode(value), changed, index]


class _Gap(Exception):
    """Something that the subset, or this use of it, does not have."""


def _print(stream: str, text: str) -> None:
    print(text, end="", flush=True)
