"""Trusted tests, changed so that an `assert` says what was called and what came of it."""

from __future__ import annotations

import ast
import base64
import functools
import marshal
import operator
import types
from collections.abc import Callable
from typing import Any

from .channel import Channel, short

COMPARE, TRUE, MARK = "_assert_compare_", "_assert_true_", "_calls_so_far_"
_SIGNS: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.Is: "is", ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in",
}  # fmt: skip
_HOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "is": operator.is_, "is not": operator.is_not,
    "in": lambda item, group: item in group, "not in": lambda item, group: item not in group,
}  # fmt: skip


class _Asserts(ast.NodeTransformer):
    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """Replace an assert without a message of its own."""
        if node.msg is not None:
            return node
        mark = ast.Call(ast.Name(MARK, ast.Load()), [], [])
        test = node.test
        arguments: list[ast.expr]
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            left, right = test.left, test.comparators[0]
            text = ast.Constant(ast.unparse(left))
            callee = ast.Constant(_callee(left))
            sign = ast.Constant(_SIGNS[type(test.ops[0])])
            arguments, name = [sign, mark, left, mark, right, text, callee], COMPARE
        else:
            texts = [ast.Constant(ast.unparse(test)), ast.Constant(_callee(test))]
            arguments, name = [mark, test, *texts], TRUE
        call = ast.Expr(ast.Call(ast.Name(name, ast.Load()), arguments, []))
        return ast.fix_missing_locations(ast.copy_location(call, node))


def _callee(node: ast.expr) -> str:
    """Return the last name of what a call calls, or nothing."""
    function = node.func if isinstance(node, ast.Call) else None
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def compile_tests(source: str, name: str) -> types.CodeType:
    """Return the code of a test file with its asserts rewritten."""
    return compile(_Asserts().visit(ast.parse(source, name)), name, "exec", dont_inherit=True)


@functools.lru_cache(maxsize=512)
def packed(source: str, name: str) -> str:
    """Return that code as text, for a checker of this same interpreter; the owner's work, once."""
    return base64.b64encode(marshal.dumps(compile_tests(source, name))).decode()


def unpacked(text: str) -> types.CodeType:
    """Return the code that `packed` packed; only ever the owner's, never a candidate's."""
    code: types.CodeType = marshal.loads(base64.b64decode(text))
    return code


def helpers(channel: Channel) -> dict[str, Any]:
    """Return the functions that rewritten asserts call."""

    def said(before: int, after: int, value: Any, text: str, callee: str) -> str:
        call = channel.last_call() if after == before + 1 and after == channel.calls else ""
        if call and channel.last is not None and ["", *channel.last[1]][-1] == callee:
            return f"{call} returned {short(value)}"
        known = text == short(value)
        return f"{text}{'' if known else f' is {short(value)}'}{call and f' after {call}'}"

    def compare(
        sign: str, began: int, left: Any, between: int, right: Any, text: str, callee: str
    ) -> None:
        if not _HOLDS[sign](left, right):
            wanted = short(right) if sign == "==" else f"{sign} {short(right)}"
            raise AssertionError(f"{said(began, between, left, text, callee)}, expected {wanted}")

    def true(began: int, value: Any, text: str, callee: str) -> None:
        if not value:
            said_so = said(began, channel.calls, value, text, callee)
            raise AssertionError(f"{said_so}, expected it to hold")

    return {COMPARE: compare, TRUE: true, MARK: lambda: channel.calls}
