"""Changes by one: whole numbers, ends of ranges and slices, assigned limits, accumulators.

Ends and limits move as sums: `n` goes up to `n + 1`, `n - 1` goes up to `n`. The number inside such
a sum belongs to it and is no constant of its own, so that each change has one name.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from env_lib.envs.repair.transforms_scene import Scene, path_of_function
from env_lib.envs.repair.transforms_tree import (
    Draft,
    Path,
    Spot,
    in_parentheses_of,
    is_name,
    single_target,
)

LARGEST = 10**15
"""Numbers beyond are masks and hashes, not counts."""
_ADDITIVE = (cst.Add, cst.Subtract)
_BINDS_AT_LEAST_AS_TIGHT = (
    *_ADDITIVE,
    cst.Multiply,
    cst.Divide,
    cst.FloorDivide,
    cst.Modulo,
    cst.Power,
    cst.MatrixMultiply,
)
_STEPS = {
    "range_start": ("shift_range_start_up", "shift_range_start_down"),
    "range_stop": ("shift_range_stop_up", "shift_range_stop_down"),
    "slice_start": ("shift_slice_start_up", "shift_slice_start_down"),
    "slice_stop": ("shift_slice_stop_up", "shift_slice_stop_down"),
    "value": ("add_one_to_value", "take_one_from_value"),
}
"""For each role of an expression: the names of one more and of one less."""


def ends(spot: Spot, scene: Scene) -> Iterator[Draft]:
    """One more and one less at the ends of a range or slice, and in the value of a limit."""
    node = spot.node
    if isinstance(node, cst.Slice):
        candidates = [spot.child(f) for f in ("lower", "upper") if getattr(node, f) is not None]
    elif isinstance(node, cst.Call):
        candidates = [spot.child("args", i).child("value") for i in range(len(node.args))]
    else:
        candidates = [spot.child("value")] if getattr(node, "value", None) else []
    for candidate in candidates:
        role = _role(candidate)
        if role is None:
            continue
        for name, step in zip(_STEPS[role], (1, -1), strict=True):
            yield Draft(name, candidate.node, partial(_moved, candidate, step))


def constants(spot: Spot, scene: Scene) -> Iterator[Draft]:
    """One more and one less for a whole number; zero and one of an accumulator by their names."""
    value = number(spot.node)
    if value is None or abs(value) > LARGEST or _belongs_to_more(spot):
        return
    names = {1: "increment_constant", -1: "decrement_constant"}
    if _starts_accumulator(spot, scene):
        names |= {0: {1: "start_accumulator_at_one"}, 1: {-1: "start_accumulator_at_zero"}}.get(
            value, {}
        )
    for step, name in names.items():
        if _may_stand(spot, value, value + step):
            yield Draft(name, spot.node, partial(_counted, spot, value + step))


def number(node: cst.CSTNode) -> int | None:
    """The value of a whole number with or without a minus; None for all else."""
    if isinstance(node, cst.Integer):
        return int(node.evaluated_value)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Minus):
        inner = node.expression
        return -int(inner.evaluated_value) if isinstance(inner, cst.Integer) else None
    return None


def _literal(value: int) -> cst.BaseExpression:
    digits = cst.Integer(str(abs(value)))
    return digits if value >= 0 else cst.UnaryOperation(cst.Minus(), digits)


def _role(spot: Spot) -> str | None:
    """The role of an expression that moves as a sum; None where it does not."""
    parent, node = spot.parent, spot.node
    role = None
    if parent is None or not isinstance(node, cst.BaseExpression):
        return None
    if isinstance(parent.node, cst.Slice):
        role = {"lower": "slice_start", "upper": "slice_stop"}.get(spot.field)
    elif isinstance(parent.node, cst.Arg):
        role = _range_role(parent)
    elif single_target(parent.node) and spot.field == "value":
        base, _ = _split(node)
        is_length = isinstance(base, cst.Call) and is_name(base.func, "len")
        is_variable = isinstance(base, cst.Name) and not is_name(base, "True", "False", "None")
        role = "value" if is_length or is_variable else None
    return role if role and _can_move(node) else None


def _range_role(argument: Spot) -> str | None:
    call = argument.parent.node if argument.parent else None
    if not isinstance(call, cst.Call) or not is_name(call.func, "range"):
        return None
    if any(other.star or other.keyword for other in call.args):
        return None
    place = argument.path[-1][1]
    if place == 0:
        return "range_stop" if len(call.args) == 1 else "range_start"
    return "range_stop" if place == 1 else None


def _split(node: cst.BaseExpression) -> tuple[cst.BaseExpression | None, int]:
    """(`n`, 1) for `n + 1`, (`n`, -2) for `n - 2`, (None, 3) for `3`, (`n`, 0) for `n`."""
    value = number(node)
    if value is not None:
        return None, value
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _ADDITIVE):
        offset = number(node.right) if isinstance(node.right, cst.Integer) else None
        if offset:
            return node.left, offset if isinstance(node.operator, cst.Add) else -offset
    return node, 0


def _can_move(node: cst.BaseExpression) -> bool:
    base, offset = _split(node)
    if abs(offset) > LARGEST:
        return False
    if base is None or base.lpar:
        return True
    if isinstance(base, cst.BinaryOperation):
        return isinstance(base.operator, _BINDS_AT_LEAST_AS_TIGHT)
    return isinstance(base, cst.Name | cst.Call | cst.Attribute | cst.Subscript)


def _moved(spot: Spot, step: int) -> tuple[Path, cst.CSTNode]:
    node = spot.node
    assert isinstance(node, cst.BaseExpression)
    base, offset = _split(node)
    offset += step
    if base is None:
        return spot.path, in_parentheses_of(node, _literal(offset))
    if offset == 0:
        return spot.path, in_parentheses_of(node, base)
    operator = cst.Add() if offset > 0 else cst.Subtract()
    moved = cst.BinaryOperation(base, operator, cst.Integer(str(abs(offset))))
    outer = node if base is not node else cst.Name("n")
    return spot.path, in_parentheses_of(outer, moved)


def _belongs_to_more(spot: Spot) -> bool:
    """Tells whether a number is the digits after a minus, or moves as part of an end or limit."""
    parent = spot.parent
    if parent is None:
        return False
    if isinstance(parent.node, cst.UnaryOperation) and isinstance(parent.node.operator, cst.Minus):
        return True
    if _role(spot):
        return True
    is_offset = isinstance(parent.node, cst.BinaryOperation) and spot.field == "right"
    return is_offset and bool(_role(parent)) and _split(parent.node)[1] != 0  # type: ignore[arg-type] # an expression


def _may_stand(spot: Spot, old: int, new: int) -> bool:
    """Keeps a sum a sum (`n + 0` says nothing) and a negative number off a power and a dot."""
    parent = spot.parent.node if spot.parent else None
    if isinstance(parent, cst.BinaryOperation):
        if spot.field == "right" and isinstance(parent.operator, _ADDITIVE):
            return 0 not in (old, new)
        if spot.field == "left" and isinstance(parent.operator, cst.Power):
            return old >= 0 and new >= 0
    return not isinstance(parent, cst.Attribute)


def _starts_accumulator(spot: Spot, scene: Scene) -> bool:
    target = single_target(spot.parent.node) if spot.parent else None
    return target is not None and (path_of_function(spot), target) in scene.accumulators


def _counted(spot: Spot, value: int) -> tuple[Path, cst.CSTNode]:
    assert isinstance(spot.node, cst.BaseExpression)
    return spot.path, in_parentheses_of(spot.node, _literal(value))
