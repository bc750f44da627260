"""Changes to what is read: another variable, arguments in another order."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from env_lib.envs.repair.transforms_scene import Scene, is_store, path_of_function
from env_lib.envs.repair.transforms_tree import Draft, Path, Spot, is_name

NEIGHBOURS = 1
"""How far apart two variables may have been bound to be taken for each other."""


def other_variables(spot: Spot, scene: Scene) -> Iterator[Draft]:
    """The variables bound just before and just after the one that is read here.

    Neighbourhood is mutual, so each such change can be undone by another one.
    """
    if not _is_read(spot):
        return
    here = scene.start(spot.node)
    known = scene.variables.get(path_of_function(spot), [])
    names = [variable.name for variable in known if variable.known_from <= here]
    name = cst.ensure_type(spot.node, cst.Name).value
    if name not in names:
        return
    at = names.index(name)
    for other in names[max(0, at - NEIGHBOURS) : at + NEIGHBOURS + 1]:
        if other != name:
            yield Draft(f"use_other_variable:{other}", spot.node, partial(_renamed, spot, other))


def _is_read(spot: Spot) -> bool:
    if spot.field in ("attr", "keyword", "func", "name", "key", "rest") or is_store(spot):
        return spot.field == "key" and isinstance(_above(spot), cst.DictElement | cst.DictComp)
    if is_name(spot.node, "self", "cls"):
        return False
    if type(_above(spot)).__name__.startswith("Match"):
        return spot.field in ("subject", "guard")
    for above in spot.above():
        if isinstance(above.node, cst.Param):  # a default is read where the function stands
            return False
        if isinstance(above.node, cst.FunctionDef):
            return True
    return False


def _above(spot: Spot) -> cst.CSTNode | None:
    return spot.parent.node if spot.parent else None


def _renamed(spot: Spot, name: str) -> tuple[Path, cst.CSTNode]:
    return spot.path, spot.node.with_changes(value=name)


def swapped_arguments(spot: Spot, scene: Scene) -> Iterator[Draft]:
    """Two neighbouring positional arguments that differ."""
    node = cst.ensure_type(spot.node, cst.Call)
    for index, (first, second) in enumerate(zip(node.args, node.args[1:], strict=False)):
        if any(argument.star or argument.keyword for argument in (first, second)):
            continue
        if not first.value.deep_equals(second.value):
            yield Draft("swap_arguments", first.value, partial(_swapped, spot, index))


def _swapped(spot: Spot, index: int) -> tuple[Path, cst.CSTNode]:
    node = cst.ensure_type(spot.node, cst.Call)
    first, second = node.args[index : index + 2]
    swapped = (first.with_changes(value=second.value), second.with_changes(value=first.value))
    return spot.path, node.with_changes(
        args=[*node.args[:index], *swapped, *node.args[index + 2 :]]
    )
