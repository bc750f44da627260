"""What a callable gives and takes after a drift: returns of another shape, columns."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Mapping
from typing import Any

from .places import Unfit

Call = Callable[..., Any]
Meet = Callable[[Call, tuple[Any, ...], dict[str, Any]], Any]


def returned(function: Call, accessor: str) -> Meet:
    """Let a callable return something from which `accessor` leads to the old value.

    Args:
        function: What is changed; its name is in the name of the new kind of value.
        accessor: `.x`, `[0]` (a tuple), `["x"]` (a mapping), `list` (an iterator); behind a `-`
            it is what scripts wrote so far and is done already: the value has it applied.
    """
    wrap = _wrapping(function, accessor)

    def meet(real: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return wrap(real(*args, **kwargs))

    return meet


def _wrapping(function: Call, accessor: str) -> Callable[[Any], Any]:
    off, accessor = accessor.startswith("-"), accessor.removeprefix("-")
    if accessor.startswith(".") and accessor[1:].isidentifier():
        name = accessor[1:]
        if off:
            return lambda value: getattr(value, name)
        words = getattr(function, "__name__", "call").strip("_").split("_")
        title = "".join(word.capitalize() for word in words)
        kind = type(f"{title}Output", (types.SimpleNamespace,), {})
        return lambda value: kind(**{name: value})
    if accessor.startswith("[") and accessor.endswith("]"):
        key = ast.literal_eval(accessor[1:-1])
        if off:
            return lambda value: value[key]
        if key == 0:
            return lambda value: (value, None)
        if key == 1:
            return lambda value: (None, value)
        if isinstance(key, str):
            return lambda value: {key: value}
    if accessor in ("list", "tuple") and not off:
        return iter
    raise Unfit(f"{accessor!r} is no accessor: .x [0] [1] ['x'] list, or one of these after -")


def columns(old: str, new: str) -> Meet:
    """Let data that a callable takes or gives have a column by another name."""

    def meet(real: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        taken = [_taken(item, old, new) for item in args]
        named = {name: _taken(item, old, new) for name, item in kwargs.items()}
        return _renamed(real(*taken, **named), old, new)

    return meet


def _taken(value: Any, old: str, new: str) -> Any:
    names = _names(value)
    if new in names:
        return _renamed(value, new, old)
    if old in names:
        raise ValueError(f"column {new!r} not found; the data has {sorted(map(str, names))}")
    return value


def _names(value: Any) -> list[Any]:
    found = getattr(value, "column_names", None)
    if found is None and type(value).__name__ == "DataFrame":
        found = list(value.columns)
    if isinstance(found, dict):  # several splits
        return [name for names in found.values() for name in names]
    if isinstance(found, list):
        return found
    if isinstance(value, Mapping):
        return list(value)
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return list(value[0])
    return []


def _renamed(value: Any, old: str, new: str) -> Any:
    if old not in _names(value):
        return value
    if hasattr(value, "rename_column"):
        return value.rename_column(old, new)
    if type(value).__name__ == "DataFrame":
        return value.rename(columns={old: new})
    if isinstance(value, list):
        return [_renamed(item, old, new) for item in value]
    pairs = {new if name == old else name: item for name, item in value.items()}
    if type(value) is dict:
        return pairs
    inner = getattr(value, "data", None)
    if isinstance(inner, dict) and old in inner:  # such as a tokenizer's batch
        value.data = {new if name == old else name: item for name, item in inner.items()}
        return value
    if isinstance(value, dict):
        value[new] = value.pop(old)
        return value
    return pairs
