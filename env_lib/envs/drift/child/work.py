"""Which library calls a script made, and saw return.

Each call in the script's tree is wrapped in two hooks that hand on what they get: one before it,
which sees what is called, one after it, which knows that it returned. Frames, lines and the
meaning of the script stay as they are.
"""

from __future__ import annotations

import ast
import sys
import types
from typing import Any

BEFORE, AFTER = "__call_of__", "__value_of__"


def compiled(source: str, file: str) -> types.CodeType:
    """Return the script's code with its calls watched.

    Raises:
        SyntaxError: the source is no Python.
    """
    try:
        tree = ast.parse(source, file)
    except (ValueError, SyntaxError) as error:
        if isinstance(error, SyntaxError) and error.lineno:
            raise
        raise SyntaxError(str(error), (file, 1, 0, "")) from None  # NUL bytes have no place
    tree = ast.fix_missing_locations(_Calls().visit(tree))
    return compile(tree, file, "exec", dont_inherit=True)


class _Calls(ast.NodeTransformer):
    def __init__(self) -> None:
        self._count = 0

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Wrap one call; its own position stays."""
        number = ast.Constant(self._count)
        self._count += 1
        self.generic_visit(node)
        head = ast.Name(BEFORE, ast.Load())
        called = ast.Call(head, [number, node.func], [])
        inner = ast.copy_location(ast.Call(called, node.args, node.keywords), node)
        for made in (number, head, called):
            ast.copy_location(made, node.func)
        outer = ast.Call(ast.Name(AFTER, ast.Load()), [number, inner], [])
        return ast.copy_location(outer, node)


class _Hook:
    """Callable, and plain to whoever pickles or hashes a function of the script."""

    def __init__(self, function: Any) -> None:
        self._function = function

    def __call__(self, number: int, value: Any) -> Any:
        return self._function(number, value)

    def __reduce__(self) -> tuple[Any, ...]:
        return int, ()


class Log:
    """The names of library callables that the script called with success."""

    def __init__(self) -> None:
        self._waiting: dict[int, str] = {}
        self._done: dict[str, None] = {}

    def hooks(self) -> dict[str, Any]:
        """Return what the watched code calls."""
        return {BEFORE: _Hook(self._before), AFTER: _Hook(self._after)}

    def names(self) -> list[str]:
        """Return the names, sorted."""
        return sorted(self._done)

    def _before(self, number: int, called: Any) -> Any:
        self._waiting[number] = name_of(called)
        return called

    def _after(self, number: int, value: Any) -> Any:
        name = self._waiting.get(number, "")
        if name:
            self._done[name] = None
        return value


def name_of(called: Any) -> str:
    """Return the name of a library's callable, "" for the script's own and the standard ones."""
    if isinstance(called, type):
        kinds: list[Any] = list(called.__mro__)
    else:
        owner = getattr(called, "__self__", None)
        kinds = [called]
        if owner is not None and not isinstance(owner, types.ModuleType):
            kinds += list((owner if isinstance(owner, type) else type(owner)).__mro__)
        elif not hasattr(called, "__qualname__"):
            kinds = list(type(called).__mro__)
    for kind in kinds:
        module = getattr(kind, "__module__", None)
        if not isinstance(module, str) or _is_plain(module):
            continue
        name = str(getattr(kind, "__qualname__", ""))
        if kind is not called and not isinstance(called, type):
            last = str(getattr(called, "__name__", "__call__"))
            name = f"{name}.{last}"
        return f"{module}.{name}"
    return ""


def _is_plain(module: str) -> bool:
    top = module.split(".")[0]
    return top in sys.stdlib_module_names or top in ("script", "builtins", "__main__")
