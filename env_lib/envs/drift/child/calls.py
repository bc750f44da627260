"""How a callable takes its arguments after a drift: what a script's call becomes and what shows."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from . import guard
from .places import Unfit

Call = Callable[..., Any]
Made = tuple[Callable[[Call, tuple[Any, ...], dict[str, Any]], Any], inspect.Signature | None]
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


def signature(function: Call) -> inspect.Signature | None:
    """Return a callable's signature; None where it has none to show."""
    try:
        return guard.shown(function) or inspect.signature(function)
    except (ValueError, TypeError):
        return None


def _taken(function: Call, keyword: str) -> tuple[inspect.Signature, list[inspect.Parameter]]:
    """Return signature and parameters of a callable that takes a keyword.

    Raises:
        Unfit: it takes no such keyword.
    """
    shown = signature(function)
    if shown is None:
        raise Unfit(f"{_name(function)} shows no signature")
    parameters = list(shown.parameters.values())
    one = shown.parameters.get(keyword)
    rest = any(p.kind is p.VAR_KEYWORD for p in parameters)
    if (one is None and not rest) or (one is not None and one.kind is one.POSITIONAL_ONLY):
        raise Unfit(f"{_name(function)} takes no keyword {keyword!r}")
    return shown, parameters


def _name(function: Call) -> str:
    return str(getattr(function, "__qualname__", function))


def _refuse(function: Call, keyword: str) -> TypeError:
    return TypeError(f"{_name(function)}() got an unexpected keyword argument {keyword!r}")


def renamed(function: Call, old: str, new: str) -> Made:
    """Let a keyword have another name."""
    shown, parameters = _taken(function, old)
    if new in shown.parameters:
        raise Unfit(f"{_name(function)} has {new} already")

    def meet(real: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if old in kwargs:
            raise _refuse(function, old)
        if new in kwargs:
            kwargs = {old if name == new else name: item for name, item in kwargs.items()}
        return real(*args, **kwargs)

    changed = [p.replace(name=new) if p.name == old else p for p in parameters]
    if old not in shown.parameters:
        changed = _with(parameters, inspect.Parameter(new, inspect.Parameter.KEYWORD_ONLY))
    return meet, shown.replace(parameters=changed)


def _with(parameters: list[inspect.Parameter], one: inspect.Parameter) -> list[inspect.Parameter]:
    """Return the parameters with another keyword before the open ones."""
    one = one.replace(default=None)
    return [*parameters[:-1], one, parameters[-1]]


def removed(function: Call, old: str) -> Made:
    """Let a keyword be gone; what it was by default stays in force."""
    shown, parameters = _taken(function, old)
    one = shown.parameters.get(old)
    if one is not None and one.default is one.empty:
        raise Unfit(f"{_name(function)} needs {old}")
    place = parameters.index(one) if one is not None and one.kind in _POSITIONAL else -1

    def meet(real: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if old in kwargs:
            raise _refuse(function, old)
        if one is not None and 0 <= place < len(args):
            args = (*args[:place], one.default, *args[place:])
        return real(*args, **kwargs)

    return meet, shown.replace(parameters=[p for p in parameters if p.name != old])


def redefaulted(function: Call, old: str, value: Any) -> Made:
    """Let a keyword have another default."""
    shown, parameters = _taken(function, old)
    one = shown.parameters.get(old)
    if one is not None and one.default is one.empty:
        raise Unfit(f"{_name(function)} has no default for {old}")
    place = parameters.index(one) if one is not None and one.kind in _POSITIONAL else -1

    def meet(real: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if old not in kwargs and not 0 <= place < len(args):
            kwargs = {**kwargs, old: value}
        return real(*args, **kwargs)

    changed = [p.replace(default=value) if p.name == old else p for p in parameters]
    return meet, shown.replace(parameters=changed)


def reordered(function: Call, places: list[int], names: list[str]) -> Made:
    """Let arguments that were given by place be in another order, or by keyword alone.

    Several places are taken in the reverse order; one place alone is no place any more. Places
    count from the first argument that a call writes.
    """
    shown = signature(function)
    if shown is None:
        raise Unfit(f"{_name(function)} shows no signature")
    parameters = list(shown.parameters.values())
    first = int(bool(parameters) and parameters[0].name in ("self", "cls"))
    at = [place + first for place in places]
    if max(at) >= len(parameters) or [parameters[n].name for n in at] != names:
        raise Unfit(f"{_name(function)} does not have {', '.join(names)} there")
    if any(parameters[n].kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD for n in at):
        raise Unfit(f"{_name(function)} takes them by keyword already")
    if len(at) == 1:
        return _keyword_only(function, shown, parameters, at[0])
    changed = list(parameters)
    for here, there in zip(at, reversed(at), strict=True):
        changed[here] = parameters[there]
    _without_gaps(changed)

    def meet(real: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        given = {changed[n].name: item for n, item in enumerate(args) if n < len(changed)}
        doubled = set(given) & set(kwargs)
        if len(args) > len(changed) or doubled:
            word = sorted(doubled)[0] if doubled else "too many"
            raise TypeError(f"{_name(function)}() got multiple values for argument {word!r}")
        head = args[:first]
        return real(*head, **dict(list(given.items())[first:]), **kwargs)

    return meet, shown.replace(parameters=changed)


def _without_gaps(parameters: list[inspect.Parameter]) -> None:
    """Take defaults away that would stand before a parameter without one."""
    open_ones = [p.default is p.empty for p in parameters if p.kind in _POSITIONAL]
    last = max((n for n, is_open in enumerate(open_ones) if is_open), default=-1)
    for n in range(last):
        parameters[n] = parameters[n].replace(default=inspect.Parameter.empty)


def _keyword_only(
    function: Call, shown: inspect.Signature, parameters: list[inspect.Parameter], at: int
) -> Made:
    count = sum(p.kind in _POSITIONAL for p in parameters)

    def meet(real: Call, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if len(args) > at:
            many = "argument" if at == 1 else "arguments"
            raise TypeError(
                f"{_name(function)}() takes {at} positional {many} but {len(args)} were given"
            )
        return real(*args, **kwargs)

    only = inspect.Parameter.KEYWORD_ONLY
    changed = [p.replace(kind=only) if at <= n < count else p for n, p in enumerate(parameters)]
    changed = [p for p in changed if p.kind is not p.VAR_POSITIONAL]
    return meet, shown.replace(parameters=changed)


def attribute(kind: type, change: dict[str, str]) -> None:
    """Let a renamed field of a data class be read and set by its new name, too."""
    fields = getattr(kind, "__dataclass_fields__", {})
    old, new = change["old"].rpartition(".")[2], change["new"]
    if change["primitive"] != "rename_kwarg" or old not in fields or hasattr(kind, new):
        return
    setattr(kind, new, property(lambda own: getattr(own, old), lambda own, v: setattr(own, old, v)))
