"""What a function may answer when it leaves early, guessed from its annotation and its returns."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from env_lib.envs.repair.transforms_tree import is_name, single_target

ANSWERS = {
    "none": "None",
    "zero": "0",
    "zero_float": "0.0",
    "minus_one": "-1",
    "empty_string": '""',
    "empty_list": "[]",
    "empty_dict": "{}",
    "empty_set": "set()",
    "empty_tuple": "()",
    "false": "False",
    "true": "True",
}
"""The word that stands in a transformation's id, and the expression that is returned."""

_BY_CODE = {code: word for word, code in ANSWERS.items()}
_BY_TYPE = {
    "None": ("none",),
    "Optional": ("none",),
    "bool": ("false", "true"),
    "dict": ("empty_dict",),
    "float": ("zero", "zero_float"),
    "int": ("zero",),
    "list": ("empty_list",),
    "set": ("empty_set",),
    "str": ("empty_string",),
    "tuple": ("empty_tuple",),
}
_BY_NODE: tuple[tuple[type[cst.BaseExpression], str], ...] = (
    (cst.Integer, "zero"),
    (cst.Float, "zero_float"),
    (cst.SimpleString, "empty_string"),
    (cst.FormattedString, "empty_string"),
    (cst.ConcatenatedString, "empty_string"),
    (cst.List, "empty_list"),
    (cst.ListComp, "empty_list"),
    (cst.Dict, "empty_dict"),
    (cst.DictComp, "empty_dict"),
    (cst.Set, "empty_set"),
    (cst.SetComp, "empty_set"),
    (cst.Tuple, "empty_tuple"),
    (cst.Comparison, "false"),
    (cst.BooleanOperation, "false"),
)
_BY_CALL = {
    "empty_string": ("str", "join", "strip", "lower", "upper", "title", "replace", "capitalize"),
    "empty_list": ("list", "sorted", "split", "splitlines"),
    "empty_dict": ("dict", "Counter", "defaultdict"),
    "empty_set": ("set", "union", "intersection"),
    "empty_tuple": ("tuple",),
    "zero": ("len", "sum", "int", "round", "abs", "max", "min", "count"),
    "zero_float": ("float",),
    "false": ("bool", "all", "any", "isinstance", "startswith", "endswith"),
}


def answers(function: cst.FunctionDef) -> list[str]:
    """The words of the answers that fit a function, in the order of `ANSWERS`.

    None is among them when the annotation allows it, when some other `return` gives it, and when
    there is no annotation at all.
    """
    returns, values = _gathered(function)
    annotation = function.returns.annotation if function.returns else None
    found = {"none"} if annotation is None else set(_from_annotation(annotation))
    for value in returns:
        found |= set(_from_value(value, values))
    return [word for word in ANSWERS if word in found]


def _gathered(
    function: cst.FunctionDef,
) -> tuple[list[cst.BaseExpression], dict[str, cst.BaseExpression]]:
    """The returned expressions, and the first value of each variable."""
    returns: list[cst.BaseExpression] = []
    values: dict[str, cst.BaseExpression] = {}
    stack: list[cst.CSTNode] = [function.body]
    while stack:
        node = stack.pop()
        if isinstance(node, cst.Return):
            returns.append(node.value or cst.Name("None"))
        elif isinstance(node, cst.Assign | cst.AnnAssign):
            name = single_target(node)
            if name and node.value is not None:
                values.setdefault(name, node.value)
        elif not isinstance(node, cst.FunctionDef | cst.ClassDef | cst.BaseExpression):
            stack.extend(reversed(node.children))
    return returns, values


def _from_annotation(annotation: cst.BaseExpression) -> Iterator[str]:
    if isinstance(annotation, cst.BinaryOperation):
        yield from _from_annotation(annotation.left)
        yield from _from_annotation(annotation.right)
    elif isinstance(annotation, cst.Subscript):
        yield from _from_annotation(annotation.value)
        if is_name(annotation.value, "Optional"):
            inner = annotation.slice[0].slice
            if isinstance(inner, cst.Index):
                yield from _from_annotation(inner.value)
    elif isinstance(annotation, cst.Name):
        yield from _BY_TYPE.get(annotation.value, ())


def _from_value(value: cst.BaseExpression, values: dict[str, cst.BaseExpression]) -> Iterator[str]:
    if isinstance(value, cst.Name) and value.value in values:
        value = values[value.value]
    literal = _BY_CODE.get(_code(value))
    if literal is not None:
        yield literal
        return
    yield from (word for kind, word in _BY_NODE if isinstance(value, kind))
    if isinstance(value, cst.BinaryOperation):
        yield "zero"
        if isinstance(value.operator, cst.Divide):
            yield "zero_float"
    if isinstance(value, cst.Call):
        called = value.func.attr if isinstance(value.func, cst.Attribute) else value.func
        yield from (word for word, names in _BY_CALL.items() if is_name(called, *names))


def _code(node: cst.BaseExpression) -> str:
    """The text of a short literal; empty for what cannot be one."""
    if isinstance(node, cst.Name | cst.Integer | cst.Float | cst.SimpleString):
        return node.value
    if isinstance(node, cst.UnaryOperation) and isinstance(node.expression, cst.Integer):
        return f"-{node.expression.value}" if isinstance(node.operator, cst.Minus) else ""
    return ""
