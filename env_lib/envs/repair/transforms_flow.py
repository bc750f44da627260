"""Changes to the way through a function: returned values, guards, defaults shared by all calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import libcst as cst

from env_lib.envs.repair.transforms_answers import answers
from env_lib.envs.repair.transforms_blocks import shared, unshared, with_guard, without_guard
from env_lib.envs.repair.transforms_guards import (
    Guard,
    first_statement,
    guard,
    guard_block,
    insertion_points,
    is_mutable,
    is_never_empty,
    shared_default,
)
from env_lib.envs.repair.transforms_scene import Scene
from env_lib.envs.repair.transforms_tree import Draft, Path, Spot, is_name


def returns(spot: Spot, scene: Scene) -> Iterator[Draft]:
    """A `return` more or less at the end of a block in a function."""
    last = spot.child("body", len(spot.node.body) - 1) if spot.node.body else None  # type: ignore[attr-defined] # blocks only
    if last is not None and isinstance(last.node, cst.SimpleStatementLine):
        last = last.child("body", len(last.node.body) - 1)
    if last is None or last.function() is None:
        return
    node = last.node
    if isinstance(node, cst.Return):
        if node.value is not None and not is_name(node.value, "None"):
            yield Draft("drop_return", node, partial(_without_return, last))
    elif isinstance(node, cst.Expr) and not _is_idle(last):
        yield Draft("return_last_value", node, partial(_with_return, last))


def _is_idle(spot: Spot) -> bool:
    """Tells whether a statement is a docstring, `...`, or gives its value away by itself."""
    value = cst.ensure_type(spot.node, cst.Expr).value
    if isinstance(value, cst.Ellipsis | cst.Yield | cst.Await):
        return True
    is_text = isinstance(value, cst.SimpleString | cst.ConcatenatedString)
    return is_text and spot.path[-2:-1] == (("body", 0),)


def _without_return(spot: Spot) -> tuple[Path, cst.CSTNode]:
    node = cst.ensure_type(spot.node, cst.Return)
    assert node.value is not None
    return spot.path, cst.Expr(node.value, semicolon=node.semicolon)


def _with_return(spot: Spot) -> tuple[Path, cst.CSTNode]:
    node = cst.ensure_type(spot.node, cst.Expr)
    return spot.path, cst.Return(node.value, semicolon=node.semicolon)


def function_guards(spot: Spot, scene: Scene) -> Iterator[Draft]:
    """Guards of a function's parameters, more or fewer, and defaults that calls share."""
    node = cst.ensure_type(spot.node, cst.FunctionDef)
    if not isinstance(node.body, cst.IndentedBlock):
        return
    parameters = [*node.params.posonly_params, *node.params.params, *node.params.kwonly_params]
    names = [
        p.name.value
        for p in parameters
        if p.name.value not in ("self", "cls") and not is_never_empty(p)
    ]
    block, words = node.body.body, answers(node)
    yield from _guards(spot, block, names, words)
    for place in guard_block(block):
        name = shared_default(block[place])
        if name and any(p.name.value == name and is_name(p.default, "None") for p in parameters):
            yield Draft("make_default_mutable", block[place], partial(shared, spot, place))
    for parameter in parameters:
        if parameter.default is not None and is_mutable(parameter.default):
            name = parameter.name.value
            for place in insertion_points(block):
                build = partial(unshared, spot, place, name)
                yield Draft(f"make_default_none:{name}", block[place], build)


def loop_guards(spot: Spot, scene: Scene) -> Iterator[Draft]:
    """Guards that skip one turn of a loop, more or fewer."""
    node = cst.ensure_type(spot.node, cst.For)
    target = node.target
    elements: Sequence[cst.CSTNode] = (
        [element.value for element in target.elements]
        if isinstance(target, cst.Tuple)
        else [target]
    )
    names = [element.value for element in elements if isinstance(element, cst.Name)]
    if isinstance(node.body, cst.IndentedBlock):
        yield from _guards(spot, node.body.body, names, ["continue"])


def _guards(
    spot: Spot, block: Sequence[cst.BaseStatement], names: list[str], words: list[str]
) -> Iterator[Draft]:
    present = guard_block(block)
    taken = {guard(block[place]) for place in present}
    for place in present:
        if guard(block[place]) and len(block) > first_statement(block) + 1:
            yield Draft("remove_guard", block[place], partial(without_guard, spot, place))
    for name in names:
        for form in ("none", "empty"):
            if Guard(form, name) in taken:
                continue
            for place in insertion_points(block):
                for word in words:
                    build = partial(with_guard, spot, place, Guard(form, name), word)
                    yield Draft(f"add_{form}_guard:{name}:{word}", block[place], build)
