"""Calls that are not what they look: made by a library for the script, or by a built text."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import dataclass

from env_lib.envs.drift.forbidden_names import FORWARDS
from env_lib.envs.drift.forbidden_patch import last_name

_MAGIC_WORD = re.compile(r"(?<!\w)__\w|\w__(?!\w)")
_QUIET = ("isinstance", "issubclass", "getattr")


@dataclass(frozen=True)
class Places:
    """Where the parts of a tree stand."""

    called: frozenset[int]
    """What is called."""
    checked: frozenset[int]
    """What is not called: owners of attributes, arguments of `isinstance`, annotations, bases."""
    given: frozenset[int]
    """Texts that are an argument of a call, or in a display that is one."""
    told: frozenset[int]
    """Docstrings."""
    own: frozenset[str]
    """Functions of the script, and those of the language."""


def places(tree: ast.AST) -> Places:
    """Return where the parts of a tree stand."""
    called, checked, given, told = set[int](), set[int](), set[int](), set[int]()
    own: set[str] = set(dir(builtins))
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called.add(id(node.func))
            arguments = [*node.args, *(word.value for word in node.keywords)]
            if last_name(node.func) in _QUIET:
                checked |= {id(part) for one in arguments for part in ast.walk(one)}
            named = [word.value for word in node.keywords if word.arg in (None, "func", "arg")]
            given |= {id(part) for one in [*node.args, *named] for part in _displayed(one)}
        elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            told.add(id(node.value))
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            own.add(node.name)
            noted = [node.returns, *(arg.annotation for arg in ast.walk(node.args)
                                     if isinstance(arg, ast.arg))]  # fmt: skip
            checked |= {id(part) for one in noted if one for part in ast.walk(one)}
        elif isinstance(node, ast.ClassDef):
            checked |= {id(part) for one in node.bases for part in ast.walk(one)}
        elif isinstance(node, ast.Attribute):
            checked.add(id(node.value))
        elif isinstance(node, ast.AnnAssign):
            checked |= {id(part) for part in ast.walk(node.annotation)}
    return Places(
        frozenset(called), frozenset(checked), frozenset(given), frozenset(told), frozenset(own)
    )


def _displayed(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    inner: list[ast.AST] = []
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        inner = list(node.elts)
    elif isinstance(node, ast.Dict):
        inner = list(node.values)
    for part in inner:
        yield from _displayed(part)


def handed_on(node: ast.AST, at: Places, known: set[str], called: set[str]) -> Iterator[str]:
    """Yield library callables that the script names without calling them, by name or as text.

    A library that is handed one calls it itself, and keeps the names that it knows.

    Args:
        node: any part of the tree.
        at: where parts stand.
        known: names that stand for a library or something of it.
        called: names that the broken script or its reference calls.
    """
    if isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Load):
        name = last_name(node)
        free = id(node) not in at.called | at.checked
        of_library = isinstance(node, ast.Attribute) or name in known
        if free and of_library and name in called:
            yield f"{name} is named and not called"
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value
        if id(node) in at.told:
            return
        if id(node) in at.given and text in called:
            yield f"{text} is called by a text"
        if _MAGIC_WORD.search(text):
            yield f"text {text.strip()!r}"


def by_text(node: ast.AST, at: Places) -> Iterator[str]:
    """Yield look-ups whose name is no literal, or which hide that it is missing."""
    if (
        isinstance(node, ast.Name)
        and node.id in ("getattr", "hasattr")
        and (id(node) not in at.called)
    ):
        yield f"use of {node.id}"
    if not isinstance(node, ast.Call):
        return
    name = last_name(node.func)
    if name == "getattr" and isinstance(node.func, ast.Name):
        if len(node.args) != 2 or not _literal(node.args[1]):
            yield "getattr with a default, or a name that is no literal"
    elif name == "eval" and isinstance(node.func, ast.Attribute) and (node.args or node.keywords):
        yield "attribute eval"
    elif name in FORWARDS and isinstance(node.func, ast.Attribute):
        asked = [*node.args[:1], *(w.value for w in node.keywords if w.arg in (None, "func"))]
        if not all(_plain(one, at) for one in asked):
            yield f"{name} of what is no literal and no function of the script"


def _literal(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def _plain(node: ast.AST, at: Places) -> bool:
    """Whether a call names plainly what it is to call."""
    if isinstance(node, ast.Name):
        return node.id in at.own
    if isinstance(node, ast.List | ast.Tuple):
        return all(_plain(part, at) for part in node.elts)
    if isinstance(node, ast.Dict):
        return all(_plain(part, at) for part in node.values)
    return isinstance(node, ast.Lambda | ast.Constant | ast.Attribute)
