"""What the rules need to know about a whole module: places in the text, variables, accumulators."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import libcst as cst
from libcst.metadata import CodeRange

from env_lib.envs.repair.transforms_tree import Path, Spot

Place = tuple[int, int]
"""Line, counted from 1, and column, counted from 0."""

_SEQUENCES = (cst.Tuple, cst.List, cst.Element, cst.StarredElement)
_BOUND_AFTER = (cst.Assign, cst.AnnAssign, cst.AugAssign, cst.NamedExpr)
_BOUND_INSIDE = (cst.For, cst.With, cst.ExceptHandler)
_OWN_SCOPE = (cst.CompFor, cst.Lambda, cst.ClassDef)


class Variable(NamedTuple):
    """A local variable."""

    name: str
    known_from: Place
    """Reads after this place find a value."""


@dataclass
class Scene:
    """Facts about one module, gathered in one pass over its spots."""

    module: cst.Module
    """The whole tree."""
    ranges: Mapping[cst.CSTNode, CodeRange]
    """Where each node stands in the text."""
    variables: dict[Path, list[Variable]] = field(default_factory=dict)
    """A function's variables in the order in which they are bound, by the function's path."""
    accumulators: set[tuple[Path, str]] = field(default_factory=set)
    """(Function, name) of the variables that an augmented assignment changes; module: ()."""

    def start(self, node: cst.CSTNode) -> Place:
        """Where a node begins."""
        start = self.ranges[node].start
        return start.line, start.column

    def learn(self, spots: list[Spot]) -> None:
        """Fills in the variables and the accumulators."""
        for spot in spots:
            if isinstance(spot.node, cst.Name):
                self._learn_binding(spot)
            elif isinstance(spot.node, cst.AugAssign) and isinstance(spot.node.target, cst.Name):
                self.accumulators.add((path_of_function(spot), spot.node.target.value))

    def _learn_binding(self, spot: Spot) -> None:
        bound = self._binding(spot)
        if bound is None:
            return
        function, place = bound
        name = cst.ensure_type(spot.node, cst.Name).value
        known = self.variables.setdefault(function.path, [])
        if all(variable.name != name for variable in known):
            known.append(Variable(name, place))

    def _binding(self, spot: Spot) -> tuple[Spot, Place] | None:
        if not is_store(spot):
            return None
        for above in spot.above():
            node = above.node
            if isinstance(node, _OWN_SCOPE):
                return None
            if isinstance(node, cst.FunctionDef):
                is_parameter = spot.parent is not None and isinstance(spot.parent.node, cst.Param)
                return (above, (0, 0)) if is_parameter else None
            function = above.function()
            if function is None:
                continue
            if isinstance(node, _BOUND_AFTER):
                end = self.ranges[node].end
                return function, (end.line, end.column)
            if isinstance(node, _BOUND_INSIDE):
                return function, self.start(node.body)
        return None


def path_of_function(spot: Spot) -> Path:
    """The path of the innermost function around; () outside of functions."""
    function = spot.function()
    return function.path if function else ()


def is_store(spot: Spot) -> bool:
    """Tells whether a name is bound here, alone or inside a tuple of targets."""
    while spot.parent is not None and isinstance(spot.parent.node, _SEQUENCES):
        spot = spot.parent
    if spot.field == "name":
        return spot.parent is not None and isinstance(spot.parent.node, cst.Param | cst.AsName)
    return spot.field == "target"
