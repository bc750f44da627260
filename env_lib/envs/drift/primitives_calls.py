"""Primitives about keywords: rename one, drop one, give one a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from env_lib.envs.drift.primitives import PrimitiveError
from env_lib.envs.drift.primitives_match import (
    Scoped,
    code,
    dotted,
    expression,
    last_name,
    nearest,
    visit_scoped,
)
from env_lib.envs.drift.records import Change

PLAIN_COMMA = cst.Comma(whitespace_after=cst.SimpleWhitespace(" "))
NO_SPACE = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))


def split_keyword(change: Change) -> tuple[str, str]:
    """Return (call, keyword) of `call.keyword` or `keyword`; the call may be in `target`."""
    call, _, keyword = change.old.rpartition(".")
    if not call and change.target:
        parts = [part for part in change.target.split(".") if part != "__init__"]
        call = parts[-1]
    return call, keyword


class Calls(Scoped):
    """Meets every call by its name, whatever it was imported as."""

    def __init__(self, call: str) -> None:
        super().__init__()
        self.call = call
        self.hits = 0
        self.known: set[str] = set()

    def is_meant(self, node: cst.Call) -> bool:
        """Whether a call is one of the name that was given; any where none was."""
        if not self.call:
            return True
        path = self.imported(node.func)
        last = self.call.rpartition(".")[2]
        if "." not in self.call:
            return last in (last_name(node.func), path.rpartition(".")[2])
        return any(
            name == self.call or name.endswith(f".{self.call}")
            for name in (path, dotted(node.func)) if name
        ) or (code(node.func) == self.call)  # fmt: skip


def _keyword(arg: cst.Arg) -> str:
    return arg.keyword.value if arg.keyword is not None else ""


class _Keywords(Calls):
    """Edits the arguments of the calls that are meant."""

    def edited(self, args: Sequence[cst.Arg]) -> Sequence[cst.Arg] | None:
        """Return the new arguments; None where nothing is to be done."""
        raise NotImplementedError

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        if not self.is_meant(original_node):
            return updated_node
        self.known.update(_keyword(arg) for arg in updated_node.args)
        made = self.edited(updated_node.args)
        if made is None:
            return updated_node
        self.hits += 1
        return updated_node.with_changes(args=made)


class _Rename(_Keywords):
    def __init__(self, call: str, old: str, new: str) -> None:
        super().__init__(call)
        self.old, self.new = old, new

    def edited(self, args: Sequence[cst.Arg]) -> Sequence[cst.Arg] | None:
        if self.old not in [_keyword(arg) for arg in args]:
            return None
        return [
            arg.with_changes(keyword=cst.Name(self.new)) if _keyword(arg) == self.old else arg
            for arg in args
        ]


class _Position(_Keywords):
    """Writes arguments that are given by their place as keywords."""

    def __init__(self, call: str, places: Sequence[int], names: Sequence[str]) -> None:
        super().__init__(call)
        self.names = dict(zip(places, names, strict=True))

    def edited(self, args: Sequence[cst.Arg]) -> Sequence[cst.Arg] | None:
        free = [n for n, arg in enumerate(args) if not arg.keyword and not arg.star]
        if not set(self.names) <= set(free):
            return None
        return [
            arg.with_changes(keyword=cst.Name(self.names[n]), equal=NO_SPACE)
            if n in self.names
            else arg
            for n, arg in enumerate(args)
        ]


def rename_kwarg(module: cst.Module, change: Change) -> cst.Module:
    """Give a keyword another name, or name arguments that were given by their places."""
    call, old = split_keyword(change)
    places = old.split(",")
    if all(place.strip().isdigit() for place in places):
        names = [name.strip() for name in change.new.split(",")]
        if len(names) != len(places) or not all(name.isidentifier() for name in names):
            raise PrimitiveError(f"{old} are {len(places)} places; name as many keywords")
        edit: _Keywords = _Position(call, [int(place) for place in places], names)
    elif change.new.isidentifier() and old.isidentifier():
        edit = _Rename(call, old, change.new)
    else:
        raise PrimitiveError("rename_kwarg takes two keywords: old may be call.keyword")
    return _done(edit, module, f"keyword {change.old}")


def _done(edit: Calls, module: cst.Module, what: str) -> cst.Module:
    made = visit_scoped(module, edit)
    if not edit.hits:
        word = what.rpartition(" ")[2]
        raise PrimitiveError(f"no {what}; {nearest(word, edit.known, 'such call')}")
    return made


class _Drop(_Keywords):
    def __init__(self, call: str, keyword: str) -> None:
        super().__init__(call)
        self.keyword = keyword

    def edited(self, args: Sequence[cst.Arg]) -> Sequence[cst.Arg] | None:
        kept = [arg for arg in args if _keyword(arg) != self.keyword]
        if len(kept) == len(args):
            return None
        if kept and _keyword(args[-1]) == self.keyword:
            kept[-1] = kept[-1].with_changes(
                comma=_at_end_of(kept[-1].comma, args[-1].comma),
                whitespace_after_arg=args[-1].whitespace_after_arg,
            )
        return kept


def _at_end_of(own: Any, other: Any) -> Any:
    """Return `other`'s comma with the comment that stands behind `own`, where both end a line."""
    mine, its = (getattr(comma, "whitespace_after", None) for comma in (own, other))
    ends = cst.ParenthesizedWhitespace
    if not isinstance(mine, ends) or not isinstance(its, ends):
        return other
    return other.with_changes(whitespace_after=its.with_changes(first_line=mine.first_line))


def drop_kwarg(module: cst.Module, change: Change) -> cst.Module:
    """Take a keyword out of the calls that have it."""
    call, keyword = split_keyword(change)
    return _done(_Drop(call, keyword), module, f"keyword {change.old}")


class _Set(_Keywords):
    def __init__(self, call: str, keyword: str, value: cst.BaseExpression) -> None:
        super().__init__(call)
        self.keyword, self.value = keyword, value

    def edited(self, args: Sequence[cst.Arg]) -> Sequence[cst.Arg] | None:
        if self.keyword in [_keyword(arg) for arg in args]:
            return [
                arg.with_changes(value=self.value) if _keyword(arg) == self.keyword else arg
                for arg in args
            ]
        new = cst.Arg(self.value, keyword=cst.Name(self.keyword), equal=NO_SPACE)
        if not args:
            return [new]
        *head, last = args
        end = {"comma": last.comma, "whitespace_after_arg": last.whitespace_after_arg}
        between = PLAIN_COMMA
        if head and isinstance(last.comma, cst.Comma):  # one argument a line, or a closing comma
            between = _at_end_of(last.comma, head[-1].comma)
            end["comma"] = _without_comment(last.comma)
        last = last.with_changes(comma=between, whitespace_after_arg=cst.SimpleWhitespace(""))
        return [*head, last, new.with_changes(**end)]


def _without_comment(comma: cst.Comma) -> cst.Comma:
    after = comma.whitespace_after
    if not isinstance(after, cst.ParenthesizedWhitespace):
        return comma
    line = cst.TrailingWhitespace(newline=after.first_line.newline)
    return comma.with_changes(whitespace_after=after.with_changes(first_line=line))


def set_kwarg(module: cst.Module, change: Change) -> cst.Module:
    """Give a keyword of the named calls a value, adding it where it is missing."""
    call, keyword = split_keyword(change)
    if not call or not keyword.isidentifier():
        raise PrimitiveError("set_kwarg takes call.keyword and a value as source")
    edit = _Set(call, keyword, expression(change.new))
    made = visit_scoped(module, edit)
    if not edit.hits:
        raise PrimitiveError(f"no call of {call}; {nearest(call, called(module), 'call')}")
    return made


def called(module: cst.Module) -> set[str]:
    """Return the last names of everything that a script calls."""
    found: set[str] = set()

    class Seen(cst.CSTVisitor):
        def visit_Call(self, node: cst.Call) -> None:
            found.add(last_name(node.func))

    module.visit(Seen())
    return found
