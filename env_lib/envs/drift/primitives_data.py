"""Primitives about data: what a call returns, and the names of columns."""

from __future__ import annotations

from typing import Any

import libcst as cst

from env_lib.envs.drift.primitives import PrimitiveError
from env_lib.envs.drift.primitives_calls import Calls, called
from env_lib.envs.drift.primitives_match import (
    code,
    expression,
    matches,
    nearest,
    visit_scoped,
)
from env_lib.envs.drift.records import Change


class _Unwrap(Calls):
    def __init__(self, change: Change) -> None:
        named = all(part.isidentifier() for part in change.old.split("."))
        super().__init__(change.old if named else "")
        self.wanted = None if named else expression(change.old)
        self.off, self.new = change.new.startswith("-"), change.new.removeprefix("-")

    def _is_it(self, original: cst.CSTNode) -> bool:
        if self.wanted is not None:
            return matches(self.wanted, original, {})
        return isinstance(original, cst.Call) and self.is_meant(original)

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        made = super().on_leave(original_node, updated_node)
        if not isinstance(made, cst.BaseExpression):
            return made
        if self.off:
            accessed = cst.Attribute | cst.Subscript
            if not isinstance(original_node, accessed) or not isinstance(made, accessed):
                return made
            inner = original_node.value
            if not self._is_it(inner) or code(original_node) != code(inner) + self.new:
                return made
            self.hits += 1
            return made.value
        if not self._is_it(original_node):
            return made
        self.hits += 1
        text = code(made)
        if self.new[:1] in (".", "["):
            return expression(f"{text}{self.new}")
        return expression(f"{self.new}({text})")


def unwrap_return(module: cst.Module, change: Change) -> cst.Module:
    """Put an accessor behind a call or expression (`-` takes it off), or a function around it."""
    edit = _Unwrap(change)
    expression(f"x{edit.new}" if edit.new[:1] in (".", "[") else f"{edit.new}(x)")
    made = visit_scoped(module, edit)
    if not edit.hits:
        raise PrimitiveError(
            f"no call of {change.old}; {nearest(change.old, called(module), 'call')}"
        )
    return made


class _Column(cst.CSTTransformer):
    """Renames texts that are keys, subscripts or arguments; not docstrings or what is returned."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__()
        self.old, self.new = old, new
        self.hits = 0
        self.known: set[str] = set()
        self._kept: list[cst.CSTNode] = []

    def visit_Return(self, node: cst.Return) -> None:
        if isinstance(node.value, cst.Dict):
            self._kept += [e.key for e in node.value.elements if isinstance(e, cst.DictElement)]

    def visit_Expr(self, node: cst.Expr) -> bool:
        return not isinstance(node.value, cst.SimpleString | cst.ConcatenatedString)

    def visit_Comparison(self, node: cst.Comparison) -> None:
        sides = [node.left, *(one.comparator for one in node.comparisons)]
        if not any(isinstance(one.operator, cst.In | cst.NotIn) for one in node.comparisons):
            self._kept += sides

    def leave_SimpleString(
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> cst.BaseExpression:
        value = original_node.evaluated_value
        if not isinstance(value, str) or any(original_node is one for one in self._kept):
            return updated_node
        self.known.add(value if value.isidentifier() else "")
        if value != self.old:
            return updated_node
        self.hits += 1
        quote = original_node.quote
        return updated_node.with_changes(value=f"{original_node.prefix}{quote}{self.new}{quote}")


def rename_column(module: cst.Module, change: Change) -> cst.Module:
    """Give a column of the data another name, wherever the script has it as a text."""
    if not all(
        text.isprintable() and not set(text) & set("\"'\\") for text in (change.old, change.new)
    ):
        raise PrimitiveError("rename_column takes two plain texts")
    edit = _Column(change.old, change.new)
    made = module.visit(edit)
    if not edit.hits:
        raise PrimitiveError(f"no text {change.old!r}; {nearest(change.old, edit.known, 'text')}")
    return made
