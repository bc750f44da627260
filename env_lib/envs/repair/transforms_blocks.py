"""A function or loop again, with a guard or a default put in or taken out."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from env_lib.envs.repair.transforms_answers import ANSWERS
from env_lib.envs.repair.transforms_guards import Guard, shared_default
from env_lib.envs.repair.transforms_tree import Path, Spot

Change = tuple[Path, cst.CSTNode]


def with_guard(spot: Spot, place: int, asked: Guard, word: str) -> Change:
    """The function or loop with a guard before one of its statements.

    Args:
        spot: A function or a loop.
        place: The place in its block of the statement that comes after the guard.
        asked: What the guard asks.
        word: A key of `ANSWERS`, or `continue`.
    """
    name = cst.Name(asked.variable)
    is_none = cst.ComparisonTarget(cst.Is(), cst.Name("None"))
    test: cst.BaseExpression = (
        cst.Comparison(name, [is_none])
        if asked.form == "none"
        else cst.UnaryOperation(cst.Not(), name)
    )
    way_out: cst.BaseSmallStatement = (
        cst.Continue() if word == "continue" else cst.Return(cst.parse_expression(ANSWERS[word]))
    )
    block = _block(spot)
    return spot.path, _holding(spot, [*block[:place], _lone_if(test, way_out), *block[place:]])


def without_guard(spot: Spot, place: int) -> Change:
    """The function or loop without the statement at a place of its block."""
    block = _block(spot)
    return spot.path, _holding(spot, [*block[:place], *block[place + 1 :]])


def shared(spot: Spot, place: int) -> Change:
    """The function with the value of `if x is None: x = []` as the default of `x`."""
    statement = cst.ensure_type(_block(spot)[place], cst.If)
    name = shared_default(statement)
    line = cst.ensure_type(statement, cst.If).body.body[0]
    inner = line.body[0] if isinstance(line, cst.SimpleStatementLine) else line
    value = cst.ensure_type(inner, cst.Assign).value
    _, function = without_guard(spot, place)
    return spot.path, _with_default(function, str(name), value)


def unshared(spot: Spot, place: int, name: str) -> Change:
    """The function with None as the default of a parameter, filled in before a statement."""
    node = cst.ensure_type(spot.node, cst.FunctionDef)
    value = next(p.default for p in _parameters(node.params) if p.name.value == name)
    assert value is not None
    assignment = cst.Assign([cst.AssignTarget(cst.Name(name))], value)
    is_none = cst.ComparisonTarget(cst.Is(), cst.Name("None"))
    block = _block(spot)
    fill = _lone_if(cst.Comparison(cst.Name(name), [is_none]), assignment)
    function = _holding(spot, [*block[:place], fill, *block[place:]])
    return spot.path, _with_default(function, name, cst.Name("None"))


def _lone_if(test: cst.BaseExpression, inner: cst.BaseSmallStatement) -> cst.If:
    return cst.If(test, cst.IndentedBlock([cst.SimpleStatementLine([inner])]))


def _block(spot: Spot) -> list[cst.BaseStatement]:
    assert isinstance(spot.node, cst.FunctionDef | cst.For)
    return list(cst.ensure_type(spot.node.body, cst.IndentedBlock).body)


def _holding(spot: Spot, block: Sequence[cst.BaseStatement]) -> cst.CSTNode:
    assert isinstance(spot.node, cst.FunctionDef | cst.For)
    return spot.node.with_changes(body=spot.node.body.with_changes(body=block))


def _parameters(params: cst.Parameters) -> list[cst.Param]:
    return [*params.posonly_params, *params.params, *params.kwonly_params]


def _with_default(function: cst.CSTNode, name: str, value: cst.BaseExpression) -> cst.CSTNode:
    params = cst.ensure_type(function, cst.FunctionDef).params
    changed = {
        group: [
            param.with_changes(default=value) if param.name.value == name else param
            for param in getattr(params, group)
        ]
        for group in ("posonly_params", "params", "kwonly_params")
    }
    return function.with_changes(params=params.with_changes(**changed))
