"""Places in a concrete syntax tree, and the tree again with one place changed.

Loads LibCST: import it where transformations are made, not at the top of an environment.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple, TypeVar

import libcst as cst

Path = tuple[tuple[str, int | None], ...]
"""From the root: (field, place in a sequence or None), one pair a step."""
Build = Callable[[], tuple[Path, cst.CSTNode]]
Tight = TypeVar("Tight", bound=cst.BaseExpression)

_SKIPPED = frozenset(
    {
        "annotation",
        "asynchronous",
        "colon",
        "comma",
        "decorators",
        "dot",
        "equal",
        "first_colon",
        "footer",
        "header",
        "indent",
        "lbrace",
        "lbracket",
        "leading_lines",
        "lines_after_decorators",
        "lines_after_module_docstring",
        "lpar",
        "operator",
        "operators",
        "rbrace",
        "rbracket",
        "returns",
        "rpar",
        "second_colon",
        "semicolon",
        "trailing_whitespace",
        "type_parameters",
    }
)
_CLOSED = (cst.Import, cst.ImportFrom, cst.Global, cst.Nonlocal, cst.Del)
"""Statements with nothing inside to change."""


class Spot(NamedTuple):
    """A node, the way to it, and the spot above it."""

    node: cst.CSTNode
    path: Path
    parent: Spot | None

    @property
    def field(self) -> str:
        """The field of the parent that holds the node; empty at the root."""
        return self.path[-1][0] if self.path else ""

    def child(self, field: str, index: int | None = None) -> Spot:
        """The spot in a field, or at a place in a field that holds a sequence."""
        value: Any = getattr(self.node, field)
        return Spot(value if index is None else value[index], (*self.path, (field, index)), self)

    def above(self) -> Iterator[Spot]:
        """The spots above, innermost first."""
        spot = self.parent
        while spot is not None:
            yield spot
            spot = spot.parent

    def function(self) -> Spot | None:
        """The innermost function around; None in a module's or class's own body."""
        for spot in self.above():
            if isinstance(spot.node, cst.FunctionDef | cst.ClassDef):
                return spot if isinstance(spot.node, cst.FunctionDef) else None
        return None


class Draft(NamedTuple):
    """A change that could be made."""

    name: str
    """Registry name, with its variants after colons."""
    anchor: cst.CSTNode
    """The node whose place in the text is the place of the change."""
    build: Build
    """Gives the way to the node that changes, and the node that takes its place."""


@cache
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    names = (field.name for field in dataclasses.fields(kind))
    return tuple(n for n in names if n not in _SKIPPED and not n.startswith("whitespace"))


def _below(spot: Spot) -> Iterator[Spot]:
    if isinstance(spot.node, _CLOSED):
        return
    for field in _fields(type(spot.node)):
        value = getattr(spot.node, field)
        if isinstance(value, cst.CSTNode):
            yield Spot(value, (*spot.path, (field, None)), spot)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            for index, node in enumerate(value):
                yield Spot(node, (*spot.path, (field, index)), spot)


def walk(root: cst.CSTNode) -> list[Spot]:
    """All spots that can change, outer before inner; no operators, annotations or imports."""
    found, stack = [], [Spot(root, (), None)]
    while stack:
        spot = stack.pop()
        found.append(spot)
        stack.extend(reversed(list(_below(spot))))
    return found


def rebuild(root: cst.CSTNode, path: Path, new: cst.CSTNode) -> cst.CSTNode:
    """The tree with another node at the end of a path; all else is shared with the old tree.

    Raises:
        CSTValidationError: the new node cannot stand there without a space.
    """
    if not path:
        return new
    (field, index), rest = path[0], path[1:]
    value: Any = getattr(root, field)
    if index is None:
        return root.with_changes(**{field: rebuild(value, rest, new)})
    items = list(value)
    items[index] = rebuild(items[index], rest, new)
    return root.with_changes(**{field: items})


def in_parentheses_of(old: cst.BaseExpression, new: Tight) -> Tight:
    """The new expression inside the parentheses of the old one, as well as inside its own."""
    return new.with_changes(lpar=[*old.lpar, *new.lpar], rpar=[*new.rpar, *old.rpar])


def is_name(node: cst.CSTNode | None, *names: str) -> bool:
    """Tells whether a node is one of these bare names."""
    return isinstance(node, cst.Name) and node.value in names


def single_target(node: cst.CSTNode) -> str | None:
    """The name that an assignment with one plain target binds; None for all else."""
    if isinstance(node, cst.Assign) and len(node.targets) == 1:
        target: cst.CSTNode = node.targets[0].target
    elif isinstance(node, cst.AnnAssign):
        target = node.target
    else:
        return None
    return target.value if isinstance(target, cst.Name) else None
