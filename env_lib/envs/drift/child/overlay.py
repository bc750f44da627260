"""Further drifts, made on the libraries in the child before a script runs; they end with it.

Each change is one breakage in plain form: primitive, target (the dotted name of the symbol, or of
the callable whose keyword, default, return or column changes), old, new. Libraries go on with what
they know, `inspect.signature` with them; a script, and the duty's `inspect`, meet the change.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import sys
import types
from collections.abc import Callable
from typing import Any

from . import calls, guard, shapes
from .places import Unfit, below, bindings, found

__all__ = ["Unfit", "apply"]

Change = dict[str, str]


def apply(changes: list[Change]) -> None:
    """Make the changes, in their order.

    Raises:
        Unfit: one cannot be made.
    """
    for change in changes:
        make = _MAKERS.get(change["primitive"])
        if make is None:
            raise Unfit(f"unknown breakage {change['primitive']!r}; known: {', '.join(_MAKERS)}")
        try:
            make(change)
        except (TypeError, AttributeError, ValueError, SyntaxError) as error:
            raise Unfit(f"{change['primitive']} {change['target']}: {error}") from None


def _symbol(change: Change) -> tuple[Any, str, Any]:
    """Return what a change is about; its target may end before the name that `old` gives."""
    target, old = change["target"], change["old"].rpartition(".")[2]
    if change["primitive"] == "rename_symbol" and old and target.rpartition(".")[2] != old:
        target = f"{target}.{old}"
    return found(target)


def _word(text: str) -> str:
    if not text.isidentifier():
        raise Unfit(f"{text!r} is no name")
    return text


def _rename(change: Change) -> None:
    new = _word(change["new"].rpartition(".")[2])
    owner, name, value = _symbol(change)
    if hasattr(owner, new):
        raise Unfit(f"{new} is there already")
    _withdraw(owner, name, value, new)


def _remove(change: Change) -> None:
    _withdraw(*_symbol(change), "")


def _move(change: Change) -> None:
    owner, name, value = _symbol(change)
    if not isinstance(owner, types.ModuleType):
        raise Unfit(f"{name} is in no module")
    path = change["new"]
    if path.rpartition(".")[2] == name and path.rpartition(".")[0]:
        path = path.rpartition(".")[0]
    parent, _, last = path.rpartition(".")
    module = sys.modules.get(path)
    if module is None:
        if not parent or not isinstance(sys.modules.get(parent), types.ModuleType):
            raise Unfit(f"{path} is no place inside a package")
        module = sys.modules[path] = types.ModuleType(_word(last) and path)
        module.__package__ = parent
        setattr(sys.modules[parent], last, module)
    if module is owner or name in vars(module):
        raise Unfit(f"{name} is in {path} already")
    _withdraw(owner, name, value, "")
    setattr(module, name, value)


def _withdraw(owner: Any, name: str, value: Any, new: str) -> None:
    """Hide a name from scripts, and show the object under another one where there is one."""
    if isinstance(owner, types.ModuleType):
        for module in bindings(owner, name, value):
            guard.hide(module, name)
            if new:
                setattr(module, new, value)
            listed = vars(module).get("__all__")
            if isinstance(listed, list) and name in listed:
                listed[listed.index(name)] = new or name
        return
    if not isinstance(owner, type):
        raise Unfit(f"{name} belongs to no module or class")
    for kind in below(owner):
        if kind is not owner and name not in vars(kind):
            continue
        own = static(kind, name)
        if new:
            setattr(kind, new, own)
        setattr(kind, name, guard.Hidden(own, kind, name, new))


def _keyword(make: Callable[[Any, Change], Any]) -> Callable[[Change], None]:
    """Return a maker for changes of how a callable is called or what it gives."""

    def maker(change: Change) -> None:
        owner, name, value = found(change["target"])
        made = 0
        if isinstance(value, type):
            method = "__init__" if inspect.isfunction(static(value, "__init__")) else "__new__"
            made = _on_class(value, method, make, change)
            if made and method == "__init__":
                calls.attribute(value, change)
        elif isinstance(owner, type):
            made = _on_class(owner, name, make, change)
        elif isinstance(owner, types.ModuleType) and callable(value):
            drifted = _met(value, make, change)
            for module in bindings(owner, name, value):
                setattr(module, name, drifted)
            made = 1
        if not made:
            raise Unfit(f"{change['target']} is no callable that can change")

    return maker


def _met(function: Any, make: Callable[[Any, Change], Any], change: Change) -> Any:
    if isinstance(function, _WHOLE):
        raise Unfit(f"{change['target']} is more than a function")
    return guard.met(function, *make(function, change))


def static(kind: type, name: str) -> Any:
    """Return what a class has under a name, its own or inherited, unbound."""
    return inspect.getattr_static(kind, name)


_WHOLE: tuple[type, ...] = (type, property)


def _on_class(owner: type, name: str, make: Callable[[Any, Change], Any], change: Change) -> int:
    """Change a method of a class, and the versions of it that subclasses have of their own."""
    made = 0
    for kind in below(owner):
        if kind is not owner and name not in vars(kind):
            continue
        own = static(kind, name)
        function = getattr(own, "__func__", own) if isinstance(own, _KINDS) else own
        if not inspect.isroutine(function) or (name == "__init__" and isinstance(own, _SLOT)):
            continue
        try:
            drifted = _met(function, make, change)
        except Unfit:
            if kind is owner:
                raise
            continue  # a subclass that does without the keyword
        setattr(kind, name, type(own)(drifted) if isinstance(own, _KINDS) else drifted)
        made += 1
    return made


_KINDS = (classmethod, staticmethod)
_SLOT = (type(builtins.object.__init__),)


def _literal(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        raise Unfit(f"{text!r} is no plain value") from None


def _renamed_kwarg(function: Any, change: Change) -> Any:
    places = [place.strip() for place in change["old"].rpartition(".")[2].split(",")]
    if all(place.isdigit() for place in places):
        names = [name.strip() for name in change["new"].split(",")]
        return calls.reordered(function, [int(place) for place in places], names)
    return calls.renamed(function, change["old"].rpartition(".")[2], _word(change["new"]))


_MAKERS: dict[str, Callable[[Change], None]] = {
    "rename_symbol": _rename,
    "remove_symbol": _remove,
    "move_symbol": _move,
    "rename_kwarg": _keyword(_renamed_kwarg),
    "remove_kwarg": _keyword(lambda f, c: calls.removed(f, c["old"].rpartition(".")[2])),
    "change_default": _keyword(
        lambda f, c: calls.redefaulted(f, c["old"].rpartition(".")[2], _literal(c["new"]))
    ),
    "change_return": _keyword(lambda f, c: (shapes.returned(f, c["new"]), calls.signature(f))),
    "rename_column": _keyword(
        lambda f, c: (shapes.columns(c["old"], c["new"]), calls.signature(f))
    ),
}
