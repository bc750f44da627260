"""The primitive that puts another expression in the place of one."""

from __future__ import annotations

import libcst as cst

from env_lib.envs.drift.primitives import PrimitiveError
from env_lib.envs.drift.primitives_match import (
    dotted,
    filled,
    last_name,
    matches,
    nearest,
    pattern,
    visit_scoped,
)
from env_lib.envs.drift.primitives_names import Names, aliases, listed
from env_lib.envs.drift.records import Change


class _Replace(Names):
    def __init__(self, change: Change) -> None:
        super().__init__(change.old, change.target)
        self.change = change
        self.plain = all(part.isidentifier() for part in change.old.split("."))
        self.wanted = None if self.plain else pattern(change.old)

    def on_leave(self, original_node, updated_node):  # type: ignore[no-untyped-def]
        made = super().on_leave(original_node, updated_node)
        if not isinstance(made, cst.BaseExpression) or self._quiet:
            return made
        if self.plain:
            if isinstance(made, cst.Name | cst.Attribute) and self.is_meant(original_node):
                self.hits += 1
                return filled(self.change.new, {})
            return made
        holes: dict[str, str] = {}
        self.known.add(last_name(made.func) if isinstance(made, cst.Call) else "")
        if matches(self.wanted, made, holes):
            self.hits += 1
            new = filled(self.change.new, holes)
            return new.with_changes(lpar=made.lpar, rpar=made.rpar) if made.lpar else new
        return made

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:
        self._quiet -= 1
        return updated_node

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.ImportFrom | cst.RemovalSentinel:
        """Take a replaced name out of its import, which fails where the name is gone."""
        self._quiet -= 1
        names = aliases(updated_node)
        kept = [a for a in names if not (self.plain and self.bare and dotted(a.name) == self.last)]
        if len(kept) == len(names):
            return updated_node
        self.hits += 1
        return updated_node.with_changes(names=listed(kept)) if kept else cst.RemoveFromParent()


def replace_symbol(module: cst.Module, change: Change) -> cst.Module:
    """Put another expression in the place of one; a plain name is taken out of its import too."""
    edit = _Replace(change)
    made = visit_scoped(module, edit)
    if not edit.hits:
        raise PrimitiveError(f"no {change.old}; {nearest(change.old, edit.known, 'such name')}")
    return with_import(made, change.target) if change.target else made


def with_import(module: cst.Module, path: str) -> cst.Module:
    """Return the module with `from a.b import c` (or `import a`) behind its first imports."""
    base, _, name = path.rpartition(".")
    line = f"from {base} import {name}" if base else f"import {name}"
    if line in module.code.splitlines():
        return module
    at = 0
    for number, statement in enumerate(module.body):
        parts = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
        if any(isinstance(part, cst.Import | cst.ImportFrom) for part in parts):
            at = number + 1
    body = [*module.body]
    body.insert(at, cst.parse_statement(line))
    return module.with_changes(body=body)
