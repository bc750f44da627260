"""What would give a library its old interface back: assignments into it, and stand-ins."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from env_lib.envs.drift.forbidden_names import OWN_METHODS
from env_lib.envs.drift.forbidden_work import library_names

_ACCESSOR = re.compile(r"register_\w*accessor")


def called_names(tree: ast.AST) -> set[str]:
    """Return the last names of everything that a script calls."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            found.add(last_name(node.func))
    return found - {""}


def last_name(node: ast.AST) -> str:
    """Return the attribute, or the name, that an expression ends in; "" for others."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def root_of(node: ast.AST) -> ast.AST:
    """Return what a chain of attributes and subscripts begins with."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node


def roots(tree: ast.AST) -> set[str]:
    """Return the names that stand for a library, something of it, or a class that was asked for."""
    found = library_names(tree)
    pairs = [pair for node in ast.walk(tree) for pair in _pairs(node)]
    grown = True
    while grown:
        more = {name for name, value in pairs if _is_of(value, found)} - found
        found |= more
        grown = bool(more)
    return found


def _pairs(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield (name, value) of what a statement binds, values of a display one by one."""
    if isinstance(node, ast.Assign):
        targets: list[ast.AST] = list(node.targets)
    elif isinstance(node, ast.NamedExpr | ast.AnnAssign | ast.For | ast.comprehension):
        targets = [node.target]
    else:
        return
    value = node.iter if isinstance(node, ast.For | ast.comprehension) else node.value
    if value is None:
        return
    inner = value.elts if isinstance(value, ast.Tuple | ast.List | ast.Set) else [value]
    for target in flat(targets):
        if isinstance(target, ast.Name):
            yield from ((target.id, one) for one in inner)


def _is_of(value: ast.AST, known: set[str]) -> bool:
    """Whether a value is a library's object that nothing was called for, or a class."""
    if isinstance(value, ast.Call):
        return last_name(value.func) == "type"
    root = root_of(value)
    return isinstance(root, ast.Name) and root.id in known


def flat(targets: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield assigned targets, those of tuples one by one."""
    for target in targets:
        if isinstance(target, ast.Tuple | ast.List):
            yield from flat(target.elts)
        elif isinstance(target, ast.Starred):
            yield from flat([target.value])
        else:
            yield target


def patches(node: ast.AST, known: set[str], called: set[str]) -> Iterator[str]:
    """Yield what an assignment puts into a library, or under a name that scripts call.

    Args:
        node: any part of the tree; targets are told by their context.
        known: names that stand for a library or something of it.
        called: names that the broken script or its reference calls.
    """
    if not isinstance(node, ast.Attribute | ast.Subscript) or isinstance(node.ctx, ast.Load):
        return
    root = root_of(node)
    text = f"patch of {ast.unparse(node)}"
    name = root.id if isinstance(root, ast.Name) else ""
    is_attribute = isinstance(node, ast.Attribute)
    attr = node.attr if isinstance(node, ast.Attribute) else ""
    private = attr.startswith("_") and name != "self"
    if name in known or (is_attribute and not name) or attr in called or private:
        yield text


def stands_in(node: ast.AST, used: set[str]) -> Iterator[str]:
    """Yield members of own classes that stand in for what the broken script uses of libraries."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        magic = node.name.startswith("__") and node.name.endswith("__")
        if magic and node.name not in OWN_METHODS:
            yield f"definition of {node.name}"
    elif isinstance(node, ast.ClassDef):
        for part in node.body:
            names = [part.name] if isinstance(part, ast.FunctionDef) else []
            if isinstance(part, ast.Assign | ast.AnnAssign):
                targets = part.targets if isinstance(part, ast.Assign) else [part.target]
                names = [last_name(target) for target in flat(targets)]
            yield from (f"stand-in for {name}" for name in names if name in used)
    elif isinstance(node, ast.Call) and last_name(node.func) == "type" and len(node.args) != 1:
        yield "a class that is made by type"
    elif isinstance(node, ast.Attribute) and _ACCESSOR.fullmatch(node.attr):
        yield f"attribute {node.attr}"


def used_attributes(tree: ast.AST) -> set[str]:
    """Return the attributes that a script reads, and none that begin with two underscores."""
    found = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return {name for name in found if not name.startswith("__")}
