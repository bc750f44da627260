"""Literals of a syntax tree, and which of them stand for each other in a comparison."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

PLAIN = frozenset({"None", "True", "False", "''", "[]", "-1", "0", "1", "2"})
"""Contents that honest guards compare with and honest code answers."""
_READS = re.compile(r"[-+.\d\[({]")
"""How a text begins that may be that of a number or a container."""
_LONG = 10_000
"""Bits of a whole number that nobody compares with."""
Bound = dict[str, list[ast.expr]]
"""Name -> the values that it is given."""


def parsed(source: str) -> ast.Module | None:
    """Return the syntax tree, None for what is no Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return None


def content(value: Any) -> str:
    """Return one text for values that stand for each other in a comparison.

    77, 77.0 and "77" are alike, and [3, 5], (3, 5), {5, 3} and "[3, 5]"; a dict is its pairs.
    Texts of PLAIN values stay texts.
    """
    if isinstance(value, str):
        inner = _read(value)
        return repr(value) if inner in PLAIN else inner
    if isinstance(value, float) and value.is_integer():
        return repr(int(value))
    if isinstance(value, dict):
        value = list(value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return f"[{', '.join(sorted(map(content, value)))}]"
    if isinstance(value, int) and value.bit_length() > _LONG:
        return hex(value)  # Python refuses the decimal digits
    return repr(value)


def _read(text: str) -> str:
    """Return the content of the value that a text spells, the text's own where it spells none."""
    if not _READS.match(text):
        return repr(text)
    try:
        return content(ast.literal_eval(text))
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return repr(text)


def values(node: ast.AST) -> Iterator[Any]:
    """Yield the value of a literal, nothing for anything else."""
    if isinstance(node, ast.expr):
        try:
            yield ast.literal_eval(node)
        except (ValueError, TypeError, RecursionError):
            return


def literals(tree: ast.AST) -> set[str]:
    """Return the content of every literal, nested ones too."""
    return {content(value) for node in ast.walk(tree) for value in values(node)}


def name_of(function: ast.expr) -> str:
    """Return the last name of what is called, "" for a call of anything else."""
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def bound(tree: ast.Module) -> Bound:
    """Return each name with the values that it is given."""
    found: Bound = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign):
            pairs = [(target, node.value) for target in node.targets]
        elif isinstance(node, ast.AnnAssign | ast.NamedExpr) and node.value is not None:
            pairs = [(node.target, node.value)]
        elif isinstance(node, ast.For | ast.comprehension):
            pairs = [(node.target, node.iter)]
        else:
            continue
        for target, value in pairs:
            for name in ast.walk(target):
                if isinstance(name, ast.Name):
                    found.setdefault(name.id, []).append(value)
    return found
