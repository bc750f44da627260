"""The primitive that renames what a library offers, and how uses of a name are found."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from env_lib.envs.drift.primitives import PrimitiveError
from env_lib.envs.drift.primitives_match import (
    Scoped,
    code,
    dotted,
    expression,
    last_name,
    nearest,
    visit_scoped,
)
from env_lib.envs.drift.records import Change


class Names(Scoped):
    """Meets every use of a name that comes from a library, and keeps what it met."""

    def __init__(self, old: str, target: str = "") -> None:
        super().__init__()
        self.old, self.target = old, target
        self.last = old.rpartition(".")[2]
        self.bare = "." not in old
        self.hits = 0
        self.known: set[str] = set()
        self._quiet = 0
        """Above 0 inside imports, and at names that belong to an attribute or a keyword."""

    def _enter(self, node: cst.CSTNode) -> None:
        self._quiet += 1

    def _leave(self, node: cst.CSTNode) -> None:
        self._quiet -= 1

    visit_Import = visit_ImportFrom = visit_Attribute_attr = visit_Arg_keyword = _enter
    leave_Attribute_attr = leave_Arg_keyword = _leave

    def is_meant(self, node: cst.CSTNode) -> bool:
        """Whether a name or attribute is the one that `old` says."""
        path = self.imported(node)
        self.known.add(last_name(node) if isinstance(node, cst.Attribute) or path else "")
        if last_name(node) != self.last and path.rpartition(".")[2] != self.last:
            return False
        if isinstance(node, cst.Name) and not path:
            return False
        if self.bare:
            return last_name(node) == self.last
        return self.old in (dotted(node), path) or path == self.target != ""


def statement_path(node: cst.ImportFrom) -> str:
    """Return the module that a `from` import names."""
    return "." * len(node.relative) + dotted(node.module)


def aliases(node: cst.ImportFrom) -> Sequence[cst.ImportAlias]:
    """Return what a `from` import names; nothing for a star."""
    return () if isinstance(node.names, cst.ImportStar) else node.names


def listed(names: Sequence[cst.ImportAlias]) -> list[cst.ImportAlias]:
    """Return the aliases with commas between them and none at the end."""
    plain = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
    made = [
        one if isinstance(one.comma, cst.Comma) else one.with_changes(comma=plain)
        for one in names[:-1]
    ]
    return [*made, names[-1].with_changes(comma=cst.MaybeSentinel.DEFAULT)]


class _Rename(Names):
    def __init__(self, change: Change) -> None:
        super().__init__(change.old, change.target)
        self.new = change.new
        self.new_last = change.new.rpartition(".")[2]
        self._classes: list[bool] = []

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self._classes.append(True)

    def leave_ClassDef(
        self, original_node: cst.ClassDef, updated_node: cst.ClassDef
    ) -> cst.ClassDef:
        self._classes.pop()
        return updated_node

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        self._classes.append(False)

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.FunctionDef:
        self._classes.pop()
        overrides = self.bare and bool(self._classes) and self._classes[-1]
        if overrides and updated_node.name.value == self.old:
            self.hits += 1
            return updated_node.with_changes(name=cst.Name(self.new_last))
        return updated_node

    def leave_AssignTarget(
        self, original_node: cst.AssignTarget, updated_node: cst.AssignTarget
    ) -> cst.AssignTarget:
        inner = self.bare and bool(self._classes) and self._classes[-1]
        if (
            inner
            and isinstance(updated_node.target, cst.Name)
            and updated_node.target.value == self.old
        ):
            self.hits += 1
            return updated_node.with_changes(target=cst.Name(self.new_last))
        return updated_node

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:
        self._quiet -= 1
        return updated_node

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.ImportFrom:
        self._quiet -= 1
        path, made = statement_path(updated_node), []
        for alias in aliases(updated_node):
            name = dotted(alias.name)
            self.known.add(name)
            whole = f"{path}.{name}"
            if name == self.last and (
                self.bare or whole.endswith(f".{self.old}") or whole == self.old
            ):
                self.hits += 1
                alias = alias.with_changes(name=cst.Name(self.new_last))
            made.append(alias)
        return updated_node.with_changes(names=made) if made else updated_node

    def leave_Name(self, original_node: cst.Name, updated_node: cst.Name) -> cst.BaseExpression:
        if self._quiet or not self.is_meant(original_node):
            return updated_node
        if original_node.value != self.last:  # imported under another name, which stays
            return updated_node
        self.hits += 1
        return updated_node.with_changes(value=self.new_last)

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        if self._quiet or not self.is_meant(original_node):
            return updated_node
        self.hits += 1
        if self.bare or self.new.count(".") == self.old.count("."):
            if self.bare and "." in self.new:
                return expression(f"{code(updated_node.value)}.{self.new}")
            return updated_node.with_changes(attr=cst.Name(self.new_last))
        return expression(self.new)


def rename_symbol(module: cst.Module, change: Change) -> cst.Module:
    """Give a library's name its new one: in imports, uses, attributes and overriding methods."""
    if not all(part.isidentifier() for part in (change.old + "." + change.new).split(".")):
        raise PrimitiveError("rename_symbol takes two names, bare or dotted")
    edit = _Rename(change)
    made = visit_scoped(module, edit)
    if not edit.hits:
        raise PrimitiveError(
            f"no name {change.old}; {nearest(change.old, edit.known, 'such name')}"
        )
    return made
