"""Order comparisons that leave one value of an expression between them: `76 < x < 78`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from env_lib.envs.repair.literals import Bound, bound, name_of, values

NARROW = 2
"""Width of a fence that is taken to be for one number: `76 < x < 78`."""
_ORDER = ast.Lt | ast.LtE | ast.Gt | ast.GtE
_HUGE = 1e300
"""Numbers from here on may not fit a float once they are added."""
Cut = tuple[Any, bool]
"""(literal at which the values of an expression are parted, whether it is of the lower part)."""
Fence = tuple[Cut, Cut]


def fences(tree: ast.Module) -> set[Fence]:
    """Return pairs of cuts of one expression that are at most NARROW apart."""
    cuts: dict[str, set[Cut]] = {}
    names = bound(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = (node.left, *node.comparators)
            for left, op, right in zip(sides, node.ops, sides[1:], strict=False):
                if isinstance(op, _ORDER):
                    above = isinstance(op, ast.LtE | ast.Gt)  # whether left's own value is below
                    found = (
                        *_cuts(left, right, above, names),
                        *_cuts(right, left, not above, names),
                    )
                    for subject, value, side in found:
                        cuts.setdefault(subject, set()).add((value, side))
    return {
        (low, high)
        for subject, some in cuts.items()
        if subject
        for low in some
        for high in some
        if (low[0] == high[0] and low[1] < high[1]) or _near(low[0], high[0])
    }


def _near(low: Any, high: Any) -> bool:
    numbers = isinstance(low, int | float) and isinstance(high, int | float)
    return numbers and 0 < high - low <= NARROW


def _cuts(
    side: ast.expr, other: ast.expr, above: bool, names: Bound
) -> Iterator[tuple[str, Any, bool]]:
    """Yield the cuts, each with its expression, of `side` compared with `other`."""
    inside = None
    if isinstance(side, ast.Call) and name_of(side.func) == "abs" and side.args:
        inside = side.args[0]
    for value in _known(other, names):
        if inside is None:
            yield _moved(side, value, above, names)
        elif not isinstance(value, str):
            yield _moved(inside, value, above, names)
            yield _moved(inside, -value, not above, names)


def _moved(side: ast.expr, value: Any, above: bool, names: Bound) -> tuple[str, Any, bool]:
    """Return the cut of `x` for one of `x - 77` or `77 - x`, as it is for anything else."""
    if isinstance(side, ast.BinOp) and isinstance(side.op, ast.Sub):
        for part, rest, sign in ((side.right, side.left, 1), (side.left, side.right, -1)):
            for shift in _known(part, names):
                if not isinstance(shift, str) and not isinstance(value, str):
                    return _text(rest), shift + sign * value, above == (sign == 1)
    return _text(side), value, above


def _text(node: ast.expr) -> str:
    """Return a text for what an expression is, "" for one that is too deep or long for that."""
    try:
        return ast.dump(node)
    except (ValueError, RecursionError):
        return ""


def _known(node: ast.expr, names: Bound) -> Iterator[int | float | str]:
    """Yield the numbers and texts of a literal, or of a name that stands for some."""
    nodes = names.get(node.id, []) if isinstance(node, ast.Name) else [node]
    for value in (value for each in nodes for value in values(each)):
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, str) or (isinstance(item, int | float) and abs(item) < _HUGE):
                yield item
