"""What a linter would point at in a program: signs of a bug that can be read without running it.

The checks are those that linters have in common: names that are bound and never read, a value set
beside itself (compared, combined, passed twice), values that go nowhere, and mutable defaults.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from functools import lru_cache


@lru_cache(maxsize=20_000)
def smells(source: str) -> int:
    """Return how many places a linter would point at; 0 for a source that is no Python."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        return 0
    return _never_read(nodes) + sum(found for node in nodes for found in _at(node))


def _never_read(nodes: Sequence[ast.AST]) -> int:
    names = [node for node in nodes if isinstance(node, ast.Name)]
    read = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    bound = {node.id for node in names} | {n.arg for n in nodes if isinstance(n, ast.arg)}
    return len(bound - read - {"_"})


def _at(node: ast.AST) -> Iterator[int]:
    if isinstance(node, ast.Compare):
        yield _twins([node.left, *node.comparators])
    elif isinstance(node, ast.BoolOp):
        yield _twins(node.values)
    elif isinstance(node, ast.BinOp) and isinstance(node.left, ast.Name):
        yield _twins([node.left, node.right])
    elif isinstance(node, ast.Subscript):
        names = {inner.id for inner in ast.walk(node.slice) if isinstance(inner, ast.Name)}
        yield int(isinstance(node.value, ast.Name) and node.value.id in names)
    elif isinstance(node, ast.Tuple | ast.List):
        yield _twins([item for item in node.elts if isinstance(item, ast.Name)])
    elif isinstance(node, ast.Assign):
        yield sum(ast.unparse(target) == ast.unparse(node.value) for target in node.targets)
    elif isinstance(node, ast.Call):
        owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        parts = [*owner, *node.args]
        yield _twins([part for part in parts if not isinstance(part, ast.Constant)])
    elif isinstance(node, ast.Expr):
        yield int(not isinstance(node.value, ast.Call | ast.Constant | ast.Yield | ast.Await))
    elif isinstance(node, ast.arguments):
        defaults = (*node.defaults, *node.kw_defaults)
        yield sum(isinstance(value, ast.List | ast.Dict | ast.Set) for value in defaults)


def _twins(parts: Sequence[ast.AST]) -> int:
    """Return how many of some expressions stand there a second time."""
    return len(parts) - len({ast.unparse(part) for part in parts})
