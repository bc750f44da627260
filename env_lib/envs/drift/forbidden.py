"""What a repair must not do: leave the script's bounds, or hide the failure in place of mending it.

Everything is told from the syntax tree of what was submitted, against the trees of the broken
script and its reference: what those have is allowed. Rules say which shapes are plain: an attribute
is set on an instance, a look-up names its attribute, a library's callable is called by the script
itself. The runner alone decides what a script returned and which work it did; these checks tell
cheating from failing.
"""

from __future__ import annotations

import ast
import importlib
import types
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from env_lib.envs.drift import forbidden_calls, forbidden_patch
from env_lib.envs.drift.forbidden_names import (
    BY_TEXT,
    INNER,
    LIBRARIES,
    MAGIC,
    NAMES,
    NETWORK,
    PLAIN_MODULES,
    PROCESS,
    SUPPRESS,
)
from env_lib.envs.drift.forbidden_work import deleted, shadowed

Findings = Counter[str]


@lru_cache(maxsize=4096)
def parsed(source: str) -> ast.Module | None:
    """Return the tree, None where the script cannot be read."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def reaches(source: str, *allowed: str) -> str:
    """Say what a script does that no repair does; "" where nothing, or where it is unreadable.

    Args:
        source: what was submitted.
        allowed: the broken script first, then others whose constructs are no cheating.
    """
    tree = parsed(source)
    known = [one for one in map(parsed, allowed) if one is not None]
    if tree is None or not known:
        return ""
    called = set().union(*map(forbidden_patch.called_names, known))
    used = forbidden_patch.used_attributes(known[0])
    mine = Counter(_found(tree, called, used))
    theirs: Findings = Counter()
    for one in known:
        theirs |= Counter(_found(one, called, used))
    new = mine - theirs
    if new:
        return min(new)
    return shadowed(tree, known) or deleted(tree, known[0])


def _found(tree: ast.Module, called: set[str], used: set[str]) -> Iterator[str]:
    roots, at = forbidden_patch.roots(tree), forbidden_calls.places(tree)
    modules = _plain_modules(tree)
    for node in ast.walk(tree):
        yield from _imports(node)
        yield from _uses(node)
        yield from _leads_on(node, modules)
        yield from forbidden_patch.patches(node, roots, called)
        yield from forbidden_patch.stands_in(node, used)
        yield from forbidden_calls.handed_on(node, at, roots, called)
        yield from forbidden_calls.by_text(node, at)
        yield from _hides(node)


def _imports(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Import):
        paths = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        base = "." * node.level + (node.module or "")
        paths = [f"{base}.{alias.name}" for alias in node.names]
    else:
        return
    for path in paths:
        root, *rest = path.split(".")
        if root not in PLAIN_MODULES | LIBRARIES:
            yield f"import of {root or path}"
        for part in rest:
            refused = part in INNER | NETWORK | PROCESS | BY_TEXT or part.startswith("_")
            if refused or part in ("testing", "*"):
                yield f"import of {path}"
        if len(rest) == 1 and root in PLAIN_MODULES and _is_elsewhere(root, rest[0]):
            yield f"import of {path}"


def _uses(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Name) and (node.id in NAMES or _is_magic(node.id)):
        yield f"use of {node.id}"
    elif isinstance(node, ast.Attribute):
        name, value = node.attr, node.value
        own = isinstance(value, ast.Name) and value.id in ("self", "cls")
        private = name.startswith("_") and not own and name not in MAGIC
        if name in INNER | BY_TEXT or _is_magic(name) or private:
            yield f"attribute {name}"
        elif name in NETWORK | PROCESS:
            yield f"call of {name}"
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        text = node.value.strip()
        if text in INNER - {"os", "sys", "modules", "mock"}:
            yield f"text {text!r}"
        if "pip install" in text:
            yield "pinning of a library"


def _is_magic(name: str) -> bool:
    return name.startswith("__") and name.endswith("__") and len(name) > 4 and name not in MAGIC


def _plain_modules(tree: ast.AST) -> dict[str, str]:
    """Return the names of modules of the language that a script imports: local name -> module."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.split(".")[0]
                if root in PLAIN_MODULES:
                    found[alias.asname or root] = alias.name if alias.asname else root
    return found


def _leads_on(node: ast.AST, modules: dict[str, str]) -> Iterator[str]:
    """A module of the language that leads to another one."""
    if not isinstance(node, ast.Attribute) or not isinstance(node.value, ast.Name):
        return
    module = modules.get(node.value.id, "")
    if module and _is_elsewhere(module, node.attr):
        yield f"attribute {node.attr}"


@lru_cache(maxsize=1024)
def _is_elsewhere(module: str, name: str) -> bool:
    value = getattr(importlib.import_module(module), name, None)
    inside = isinstance(value, types.ModuleType) and value.__name__.startswith(f"{module}.")
    return isinstance(value, types.ModuleType) and not inside


def _hides(node: ast.AST) -> Iterator[str]:
    """A try statement that is no choice of an import, and its short forms."""
    if isinstance(node, ast.Try | ast.TryStar):
        parts = [*node.body, *(row for handler in node.handlers for row in handler.body)]
        if node.handlers and not all(isinstance(p, ast.Import | ast.ImportFrom) for p in parts):
            yield "try around the failure"
        elif any(h.type is None or _blanket(h.type) for h in node.handlers):
            yield "blanket except"
        inner = [part for row in node.finalbody for part in ast.walk(row)]
        if any(isinstance(part, ast.Return | ast.Break | ast.Continue) for part in inner):
            yield "a jump out of finally"
    elif isinstance(node, ast.Attribute | ast.Name):
        name = node.attr if isinstance(node, ast.Attribute) else node.id
        if name in SUPPRESS:
            yield "try around the failure"
        if name == "hasattr":
            yield "branch on what the library has"


def _blanket(kind: ast.expr) -> bool:
    names = {part.id for part in ast.walk(kind) if isinstance(part, ast.Name)}
    return bool(names & {"Exception", "BaseException"})
