"""The primitive about where a name comes from: an import of another module."""

from __future__ import annotations

import libcst as cst

from env_lib.envs.drift.primitives import PrimitiveError
from env_lib.envs.drift.primitives_match import (
    dotted,
    expression,
    last_name,
    nearest,
    visit_scoped,
)
from env_lib.envs.drift.primitives_names import Names, aliases, listed, statement_path
from env_lib.envs.drift.records import Change


def _module(path: str) -> cst.Attribute | cst.Name:
    node = expression(path)
    assert isinstance(node, cst.Attribute | cst.Name)
    return node


class _Move(Names):
    def __init__(self, change: Change) -> None:
        super().__init__(change.old, change.target)
        base, _, end = change.new.rpartition(".")
        self.base = base if end == self.last and base else change.new
        self.from_path = change.old.rpartition(".")[0]

    def leave_Import(self, original_node: cst.Import, updated_node: cst.Import) -> cst.Import:
        self._quiet -= 1
        made = []
        for alias in updated_node.names:
            self.known.add(dotted(alias.name))
            if dotted(alias.name) == self.old:
                self.hits += 1
                alias = alias.with_changes(name=_module(self.base))
            made.append(alias)
        return updated_node.with_changes(names=made)

    def leave_ImportFrom(
        self, original_node: cst.ImportFrom, updated_node: cst.ImportFrom
    ) -> cst.ImportFrom | cst.FlattenSentinel[cst.BaseSmallStatement]:
        self._quiet -= 1
        path, names = statement_path(updated_node), aliases(updated_node)
        self.known.update(dotted(alias.name) for alias in names)
        if path == self.old:  # the whole module moved
            self.hits += 1
            return updated_node.with_changes(module=_module(self.base), relative=())
        if self.from_path not in ("", path):
            return updated_node
        moved = [alias for alias in names if dotted(alias.name) == self.last]
        if not moved or path == self.base:
            return updated_node
        self.hits += 1
        new = updated_node.with_changes(
            module=_module(self.base), relative=(), names=listed(moved), lpar=None, rpar=None
        )
        kept = [alias for alias in names if alias not in moved]
        if not kept:
            return new
        first = updated_node.with_changes(names=listed(kept))
        return cst.FlattenSentinel([first, new])

    def leave_Attribute(
        self, original_node: cst.Attribute, updated_node: cst.Attribute
    ) -> cst.BaseExpression:
        """Mend `np.X` where X moved below the module that is imported as `np`."""
        path = self.imported(original_node)
        if self._quiet or last_name(original_node) != self.last or not path:
            return updated_node
        if not self.bare and self.old not in (path, dotted(original_node)):
            return updated_node
        root, alias = path.rpartition(".")[0], dotted(updated_node.value)
        if not (self.base + ".").startswith(f"{root}.") or self.base == root:
            return updated_node
        self.hits += 1
        return expression(f"{alias}{self.base.removeprefix(root)}.{self.last}")


class _Split(cst.CSTTransformer):
    """Puts import statements that share a line on lines of their own."""

    def leave_SimpleStatementLine(
        self, original_node: cst.SimpleStatementLine, updated_node: cst.SimpleStatementLine
    ) -> cst.SimpleStatementLine | cst.FlattenSentinel[cst.SimpleStatementLine]:
        parts = updated_node.body
        if len(parts) < 2 or len(parts) == len(original_node.body):
            return updated_node
        lines = [
            cst.SimpleStatementLine([part.with_changes(semicolon=cst.MaybeSentinel.DEFAULT)])
            for part in parts
        ]
        lines[0] = lines[0].with_changes(leading_lines=updated_node.leading_lines)
        return cst.FlattenSentinel(lines)


def change_import(module: cst.Module, change: Change) -> cst.Module:
    """Import a name, or a whole module, from where it is now."""
    words = f"{change.old}.{change.new}".split(".")
    if not all(part.isidentifier() for part in words):
        raise PrimitiveError("change_import takes a name and the module that it is in")

    class Edit(_Move, _Split):
        pass

    edit = Edit(change)
    made = visit_scoped(module, edit)
    if not edit.hits:
        raise PrimitiveError(
            f"no import of {change.old}; {nearest(change.old, edit.known, 'import')}"
        )
    return made
