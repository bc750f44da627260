"""Guards: the statements at the head of a block that leave early or fill in a default."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import libcst as cst

from env_lib.envs.repair.transforms_tree import is_name, single_target

_LEAVING = (cst.Return, cst.Continue, cst.Raise)
_NUMERIC = ("int", "float", "bool", "complex", "Decimal", "Fraction", "date", "datetime")


class Guard(NamedTuple):
    """What a guard asks."""

    form: str
    """`none` for `if x is None`, `empty` for `if not x`."""
    variable: str
    """The variable that it asks about."""


def first_statement(block: Sequence[cst.BaseStatement]) -> int:
    """The place of the first statement after a docstring."""
    line = block[0]
    if isinstance(line, cst.SimpleStatementLine) and isinstance(line.body[0], cst.Expr):
        return int(isinstance(line.body[0].value, cst.SimpleString | cst.ConcatenatedString))
    return 0


def guard_block(block: Sequence[cst.BaseStatement]) -> range:
    """The places of the guards at the head of a block."""
    first = last = first_statement(block)
    while last < len(block) and _only_statement(block[last]) is not None:
        last += 1
    return range(first, last)


def insertion_points(block: Sequence[cst.BaseStatement]) -> list[int]:
    """The places before which a guard can be put: around and between those that are there."""
    present = guard_block(block)
    return [place for place in range(present.start, present.stop + 1) if place < len(block)]


def guard(statement: cst.BaseStatement) -> Guard | None:
    """What a guard asks that leaves the function or the turn; None for other statements."""
    inner = _only_statement(statement)
    if not isinstance(inner, cst.Return | cst.Continue):
        return None
    return _question(cst.ensure_type(statement, cst.If).test)


def shared_default(statement: cst.BaseStatement) -> str | None:
    """`x` for `if x is None: x = []` and its like; None for other statements."""
    inner = _only_statement(statement)
    if not isinstance(inner, cst.Assign) or not is_mutable(inner.value):
        return None
    name = single_target(inner)
    asked = _question(cst.ensure_type(statement, cst.If).test)
    return name if name and asked == Guard("none", name) else None


def is_mutable(node: cst.BaseExpression) -> bool:
    """Tells whether an expression makes a list, dict or set."""
    if isinstance(node, cst.Call):
        return not node.args and is_name(node.func, "list", "dict", "set")
    return isinstance(node, cst.List | cst.Dict | cst.Set)


def is_never_empty(parameter: cst.Param) -> bool:
    """Tells whether a parameter is declared as a plain number or date."""
    return parameter.annotation is not None and is_name(parameter.annotation.annotation, *_NUMERIC)


def _only_statement(statement: cst.BaseStatement) -> cst.BaseSmallStatement | None:
    """The one statement under a lone `if` that leaves or assigns; None for all else."""
    if not isinstance(statement, cst.If) or statement.orelse is not None:
        return None
    lines = statement.body.body
    inner = lines[0] if len(lines) == 1 else None
    if isinstance(inner, cst.SimpleStatementLine):
        inner = inner.body[0] if len(inner.body) == 1 else None
    if isinstance(inner, _LEAVING) or (isinstance(inner, cst.Assign) and single_target(inner)):
        return inner
    return None


def _question(test: cst.BaseExpression) -> Guard | None:
    if isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        inner = test.expression
        return Guard("empty", inner.value) if isinstance(inner, cst.Name) else None
    if isinstance(test, cst.Comparison) and len(test.comparisons) == 1:
        target = test.comparisons[0]
        is_none = isinstance(target.operator, cst.Is) and is_name(target.comparator, "None")
        if is_none and isinstance(test.left, cst.Name):
            return Guard("none", test.left.value)
    return None
