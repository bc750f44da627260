"""Rows as scripts of their own: the snippet in a `main(inputs)` that returns what it printed.

A value that both forms of a row have in common becomes an input, so that a script can be judged on
inputs that it has not seen. Rows without such a value, with several prints or with the helpers of
`tiny.py` are no scripts of their own.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

from env_lib.envs.drift.breakages import Breakage

_PLAIN = {"len", "int", "float", "bool", "round", "list", "sorted", "str", "callable", "isinstance"}
LIFTED_AT_MOST = 3
Form = tuple[str, str, tuple[Any, ...], str]
"""Old script, new script, inputs, and the source of the value that became the input."""


def forms(row: Breakage) -> Iterator[Form]:
    """Yield the scripts of a row, one for each value that can be an input."""
    trees = [ast.parse(text) for text in (row.old, row.new)]
    if row.needs_tiny or any(len(_prints(tree)) != 1 for tree in trees):
        return
    echoed = {ast.unparse(node) for node in _printed(trees[1])}
    shared = [text for text in _literals(trees[1]) if text in _literals(trees[0])]
    shared = [text for text in shared if text not in echoed]
    for text in shared[:LIFTED_AT_MOST]:
        value = ast.literal_eval(text)
        others = _others(value)
        if others:
            old, new = (_script(tree, text, row) for tree in trees)
            yield old, new, tuple({"value": one} for one in (value, *others)), text


def _prints(tree: ast.Module) -> list[ast.Call]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [node for node in calls if ast.unparse(node.func) == "print"]


def _printed(tree: ast.Module) -> list[ast.expr]:
    return [part for call in _prints(tree) for part in call.args]


def _literals(tree: ast.Module) -> list[str]:
    """Return the numbers, texts and lists of a snippet as source, in order, each once."""
    found: list[str] = []

    def look(node: ast.AST) -> None:
        if isinstance(node, ast.List | ast.Constant):
            try:
                value = ast.literal_eval(node)
            except ValueError:
                value = None
            if value is not None and not isinstance(value, bool | bytes) and value != []:
                found.append(ast.unparse(node))
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, ast.Import | ast.ImportFrom | ast.ClassDef):
                look(child)

    look(tree)
    return list(dict.fromkeys(found))


def _others(value: Any) -> list[Any]:
    """Return two more values of the same kind."""
    if isinstance(value, int | float):
        return [value + 1, value + 2]
    if isinstance(value, str):
        return [f"{value}{value}", f"{value} {value} {value}"] if value.isalpha() else []
    if isinstance(value, list) and value and all(isinstance(one, int | float) for one in value):
        return [[one + 1 for one in value], [*reversed(value), value[0]]]
    if isinstance(value, list) and value and all(isinstance(one, str) for one in value):
        return [[*value, value[0]], list(reversed(value))]
    return []


def _script(tree: ast.Module, text: str, row: Breakage) -> str:
    """Return the snippet as a module with `main(inputs)`."""
    wanted = ast.dump(ast.parse(text, mode="eval").body)

    class Lift(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            if isinstance(node, ast.expr) and ast.dump(node) == wanted:
                return ast.parse('inputs["value"]', mode="eval").body
            if isinstance(node, ast.ClassDef):
                return node
            return super().visit(node)

    class Returned(ast.NodeTransformer):
        def visit_Expr(self, node: ast.Expr) -> ast.stmt:
            call = node.value
            if isinstance(call, ast.Call) and ast.unparse(call.func) == "print":
                parts = [_plain(one) for one in call.args]
                value = parts[0] if len(parts) == 1 else ast.List(parts, ast.Load())
                return ast.Return(value)
            return node

    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    rest = [node for node in tree.body if node not in imports]
    body = [Returned().visit(Lift().visit(ast.parse(ast.unparse(node)).body[0])) for node in rest]
    head = "\n".join(ast.unparse(node) for node in imports)
    lines = "\n".join(ast.unparse(ast.fix_missing_locations(node)) for node in body)
    main = "\n".join(f"    {line}" if line else "" for line in lines.split("\n"))
    return f"{head}\n\n\ndef main(inputs):\n{main}\n".lstrip("\n")


def _plain(node: ast.expr) -> ast.expr:
    """Return the expression as text, unless what it gives is plain data by its own word."""
    name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
    plain = isinstance(node, ast.Compare | ast.ListComp | ast.Constant | ast.JoinedStr)
    if name in _PLAIN or name == "tolist" or plain:
        return node
    return ast.Call(ast.Name("str", ast.Load()), [node], [])
