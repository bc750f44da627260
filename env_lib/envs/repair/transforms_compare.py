"""Changes to what is true: comparisons, `and` and `or`, literals, `not`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import libcst as cst

from env_lib.envs.repair.transforms_catalog import partners
from env_lib.envs.repair.transforms_scene import Scene
from env_lib.envs.repair.transforms_tree import Draft, Path, Spot, in_parentheses_of, is_name

_OPERATORS: dict[str, type[cst.BaseCompOp]] = {
    "less_than": cst.LessThan,
    "less_equal": cst.LessThanEqual,
    "greater_than": cst.GreaterThan,
    "greater_equal": cst.GreaterThanEqual,
    "equal": cst.Equal,
    "not_equal": cst.NotEqual,
    "in": cst.In,
    "not_in": cst.NotIn,
    "is": cst.Is,
    "is_not": cst.IsNot,
}
_NAMES = {kind: name for name, kind in _OPERATORS.items()}
_LITERALS = ("True", "False", "None")


def comparisons(spot: Spot, scene: Scene) -> Iterator[Draft]:
    """Another operator in a comparison; a chain has one place for each of its operators."""
    node = cst.ensure_type(spot.node, cst.Comparison)
    for index, target in enumerate(node.comparisons):
        old = _NAMES[type(target.operator)]
        path = (*spot.path, ("comparisons", index), ("operator", None))
        for new in partners(old):
            build = partial(_operator, path, target.operator, _OPERATORS[new])
            yield Draft(f"replace_{old}_with_{new}", target.comparator, build)


def connectives(spot: Spot, scene: Scene) -> Iterator[Draft]:
    """`or` for `and`, and back."""
    node = cst.ensure_type(spot.node, cst.BooleanOperation)
    was_and = isinstance(node.operator, cst.And)
    name = "replace_and_with_or" if was_and else "replace_or_with_and"
    kind = cst.Or if was_and else cst.And
    build = partial(_operator, (*spot.path, ("operator", None)), node.operator, kind)
    yield Draft(name, node.right, build)


def _operator(
    path: Path, old: cst.BaseCompOp | cst.BaseBooleanOp, kind: type[cst.CSTNode]
) -> tuple[Path, cst.CSTNode]:
    return path, kind(
        whitespace_before=old.whitespace_before,  # type: ignore[call-arg, union-attr] # all have it
        whitespace_after=old.whitespace_after,  # type: ignore[union-attr] # all have it
    )


def booleans(spot: Spot, scene: Scene) -> Iterator[Draft]:
    """The other boolean literal."""
    if is_name(spot.node, "True", "False"):
        yield Draft("flip_boolean", spot.node, partial(_flipped, spot))


def _flipped(spot: Spot) -> tuple[Path, cst.CSTNode]:
    node = cst.ensure_type(spot.node, cst.Name)
    return spot.path, node.with_changes(value="False" if node.value == "True" else "True")


def negations(spot: Spot, scene: Scene) -> Iterator[Draft]:
    """One `not` more or less before a plain part of a condition.

    Comparisons are left out, since `not a < b` says no more than another operator does.
    """
    if isinstance(spot.node, cst.Return):
        if isinstance(spot.node.value, cst.BooleanOperation):
            yield from _parts(spot.child("value"))
    else:
        yield from _parts(spot.child("test"))


def _parts(spot: Spot) -> Iterator[Draft]:
    node = spot.node
    if isinstance(node, cst.BooleanOperation):
        yield from _parts(spot.child("left"))
        yield from _parts(spot.child("right"))
    elif _is_plain(node):
        yield Draft("negate_condition", node, partial(_negated, spot))
    elif _is_denial(node):
        yield Draft("remove_not", node, partial(_affirmed, spot))


def _is_plain(node: cst.CSTNode) -> bool:
    if is_name(node, *_LITERALS):
        return False
    return isinstance(node, cst.Name | cst.Call | cst.Attribute | cst.Subscript)


def _is_denial(node: cst.CSTNode) -> bool:
    is_not = isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not)
    return is_not and _is_plain(cst.ensure_type(node, cst.UnaryOperation).expression)


def _negated(spot: Spot) -> tuple[Path, cst.CSTNode]:
    node = spot.node
    assert isinstance(node, cst.BaseExpression)
    bare = node.with_changes(lpar=(), rpar=())
    negation = cst.UnaryOperation(operator=cst.Not(), expression=bare)
    return spot.path, negation.with_changes(lpar=node.lpar, rpar=node.rpar)


def _affirmed(spot: Spot) -> tuple[Path, cst.CSTNode]:
    node = cst.ensure_type(spot.node, cst.UnaryOperation)
    return spot.path, in_parentheses_of(node, node.expression)
