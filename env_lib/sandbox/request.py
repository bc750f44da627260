"""What a caller asks for, checked and packed before any process hears of it."""

from __future__ import annotations

import ast
import functools
import re
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from env_lib.sandbox import rewrite, wire
from env_lib.sandbox.limits import Limits

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*(/[A-Za-z0-9_][A-Za-z0-9_.-]*)*")
_OURS = ("hypothesis", "pytest", "_pytest", "tests")
_CANARY = "def canary():\n    assert [1, 2] == [2, 1]\n"
MAX_SOURCES = 4 << 20


@dataclass(frozen=True)
class Request:
    """One run: the candidate's files, the checker's job, and what must be reported."""

    sources: bytes
    job: bytes
    names: tuple[str, ...]
    modules: tuple[str, ...]
    limits: Limits


_PARSING = threading.Lock()
"""CPython 3.11 counts the parser's depth for all threads at once, and fails where two parse."""


@functools.lru_cache(maxsize=512)
def test_names(source: str) -> tuple[str, ...]:
    """Return the ids of a test file: its top-level functions named `test_…`, in order.

    Raises:
        ValueError: the tests are no Python, or two of them share a name.
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError) as error:
        raise ValueError(f"the tests are not valid Python: {error}") from None
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    names = [node.name for node in tree.body if isinstance(node, functions)]
    names = [name for name in names if name.startswith("test_")]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ValueError(f"the tests define {sorted(twice)[0]} twice; each id must be unique")
    return tuple(names)


def for_tests(
    files: Mapping[str, str | bytes], tests: str, limits: Limits, preload: Sequence[str]
) -> Request:
    """Return the request that runs a test file."""
    with _PARSING:
        names, code = test_names(tests), rewrite.packed(tests, "tests.py")
    job = {"tests": tests, "code": code, "names": names}
    return _request(files, job, names, limits, preload)


def for_call(
    files: Mapping[str, str | bytes],
    module: str,
    function: str | None,
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    limits: Limits,
) -> Request:
    """Return the request that calls one function, or only imports where `function` is None."""
    job = {
        "module": module,
        "function": function,
        "args": [wire.encode(item) for item in args],
        "kwargs": {str(name): wire.encode(item) for name, item in kwargs.items()},
    }
    return _request(files, job, (), limits, ())


def _request(
    files: Mapping[str, str | bytes],
    job: dict[str, Any],
    names: tuple[str, ...],
    limits: Limits,
    preload: Sequence[str],
) -> Request:
    packed = []
    for name, body in files.items():
        if not _NAME.fullmatch(name) or len(name) > 200:
            raise ValueError(f"file name {name!r} is not a plain relative path")
        data = body if isinstance(body, bytes) else body.encode("utf-8", "surrogatepass")
        packed.append([name, wire.encode(data)])
    job = {**job, "canary": rewrite.packed(_CANARY, "canary.py")}
    sources = wire.dumps(packed)
    allowed = min(MAX_SOURCES, limits.file_mb << 20)
    if len(sources) > allowed:
        raise ValueError(f"the files take {len(sources)} bytes; at most {allowed} are allowed")
    tops = {name.split("/")[0].removesuffix(".py") for name in files}
    kept = {*sys.stdlib_module_names, *_OURS, *(name.split(".")[0] for name in preload)}
    return Request(sources, wire.dumps(job), names, tuple(sorted(tops - kept)), limits)
