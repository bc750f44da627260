"""Hidden property tests with their inputs drawn once: the same verdict for a tenth of the time.

A property whose inputs are no plain data (a Fraction, a date) stays as it is, and so do tests that
draw nothing, parametrized ones among them.

Hypothesis draws an input in about a millisecond, a verified patch has twenty for everything. The
tests are ours and derandomised, so what they draw on the reference is drawn once a function, here,
and run as plain calls on every candidate. Shrinking is left out: a failing input is failure enough.
"""

from __future__ import annotations

import ast
import sys
import types
from functools import lru_cache
from threading import Lock
from typing import Any

MODULE = "solution"
HYPOTHESIS = "hypothesis"
DRAWING = Lock()
"""Held while properties are run: the reference stands in `sys.modules`, one at a time."""


class FreezeError(ValueError):
    """Hidden tests that the reference does not pass; the message names the test and the reason."""


class _NotPlain(Exception):
    """An input that cannot be written down."""


@lru_cache(maxsize=512)
def frozen(hidden: str, reference: str) -> str:
    """Return the hidden tests with each `@given` of plain data replaced by a loop over its inputs.

    Raises:
        FreezeError: a property fails on the reference, or the tests cannot be read with it.
    """
    try:
        tree = ast.parse(hidden)
    except (SyntaxError, ValueError) as error:
        raise FreezeError(f"the hidden tests are no Python: {error}") from error
    names = [n.name for n in tree.body if isinstance(n, ast.FunctionDef) and n.decorator_list]
    with DRAWING:
        drawn = _drawn(hidden, reference, names) if names else {}
    if not drawn:
        return hidden
    whole = len(drawn) == len(names)  # then nothing of hypothesis is needed any more
    body: list[ast.stmt] = []
    gone: set[str] = set()  # names of hypothesis, and strategies that are made of them
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name in drawn:
            body += _loop(node, drawn[node.name])
        elif whole and (_of_hypothesis(node) or gone & _names(node, ast.Load)):
            gone |= _names(node, ast.Store)
        else:
            body.append(node)
    made = ast.fix_missing_locations(ast.Module(body=body, type_ignores=[]))
    return ast.unparse(made) + "\n"


def _of_hypothesis(node: ast.stmt) -> bool:
    return isinstance(node, ast.ImportFrom) and (node.module or "").startswith(HYPOTHESIS)


def _names(node: ast.stmt, context: type[ast.expr_context]) -> set[str]:
    """Return the names that a statement reads, or those that it defines."""
    found = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, context)}
    if context is ast.Store:
        if isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.FunctionDef):
            found.add(node.name)
    return found


def _loop(node: ast.FunctionDef, inputs: list[tuple[Any, ...]]) -> list[ast.stmt]:
    """Return the bare property under another name, and a test that calls it on every input."""
    name, node.name, node.decorator_list = node.name, f"_{node.name}", []
    rows = ", ".join(map(repr, inputs))
    loop = f"def {name}():\n    for given in [{rows}]:\n        {node.name}(*given)\n"
    return [node, *ast.parse(loop).body]


def _drawn(hidden: str, reference: str, names: list[str]) -> dict[str, list[tuple[Any, ...]]]:
    """Run each property on the reference, trusted code, and keep what hypothesis gave it."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    before = sys.modules.get(MODULE)
    stand_in = types.ModuleType(MODULE)
    _run(reference, "the reference", stand_in.__dict__)
    sys.modules[MODULE] = stand_in
    try:
        space: dict[str, Any] = {"__name__": "hidden_tests"}
        _run(hidden, "the hidden tests", space)
        for name in (name for name in names if hasattr(space[name], "hypothesis")):
            try:
                found[name] = _record(name, space[name])
            except _NotPlain:
                continue
        return found
    finally:
        del sys.modules[MODULE]
        if before is not None:
            sys.modules[MODULE] = before


def _run(source: str, what: str, space: dict[str, Any]) -> None:
    try:
        exec(compile(source, f"{what}.py", "exec"), space)
    except Exception as error:  # a module may raise anything while it is read
        told = f"{type(error).__name__}: {error}"
        raise FreezeError(f"{what} cannot be read: {told}") from error


def _record(name: str, test: Any) -> list[tuple[Any, ...]]:
    inner, kept = test.hypothesis.inner_test, []

    def recorder(*given: Any, **named: Any) -> None:
        values = (*given, *named.values())
        text = repr(values)
        inner(*given, **named)
        try:
            same = ast.literal_eval(text)
        except (ValueError, SyntaxError) as error:
            raise _NotPlain(text) from error
        kept.append(same)

    test.hypothesis.inner_test = recorder
    try:
        test()
    except _NotPlain:
        raise
    except Exception as error:  # a property may raise anything
        told = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise FreezeError(f"{name} fails on the reference: {told}") from error
    finally:
        test.hypothesis.inner_test = inner
    return list({repr(row): row for row in kept}.values())
