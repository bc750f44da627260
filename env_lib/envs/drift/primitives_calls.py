"""Primitives about calls and data: keywords, what a call returns, names of columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import libcst as cst

from env_lib.envs.drift.primitives_match import (
    PrimitiveError,
    Scoped,
    code,
    dotted,
    expression,
    last_name,
    matches,
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
    after = [getattr(comma, "whitespace_after", None) for comma in (own, other)]
    if not all(isinstance(one, cst.ParenthesizedWhitespace) for one in after):
        return other
    return other.with_changes(
        whitespace_after=after[1].with_changes(first_line=after[0].first_line)
    )


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
        raise PrimitiveError(f"no call of {call}; {nearest(call, _called(module), 'call')}")
    return made


def _called(module: cst.Module) -> set[str]:
    found: set[str] = set()

    class Seen(cst.CSTVisitor):
        def visit_Call(self, node: cst.Call) -> None:
            found.add(last_name(node.func))

    module.visit(Seen())
    return found


class _Unwrap(Calls):
    def __init__(self, change: Change) -> None:
        named = all(part.isidentifier() for part in change.old.split("."))
        super().__init__(change.old if named else "")
        self.wanted = None if named else expression(change.old)
        self.off, self.new = change.new.startswith("-"), change.new.removeprefix("-")

    def _is_it(self, original: cst.CSTNode) -> bool:
        if self.wanted is not None:
            return matches(self.wanted, original, {})
        return isinstance(original, cst.Call) and self.is_meant(original)

    def on_leave(self, original_node: Any, updated_node: Any) -> Any:
        made = super().on_leave(original_node, updated_node)
        if not isinstance(made, cst.BaseExpression):
            return made
        if self.off:
            inner = getattr(original_node, "value", None)
            accessed = isinstance(original_node, cst.Attribute | cst.Subscript)
            if not (accessed and self._is_it(inner)):
                return made
            if code(original_node) != code(inner) + self.new:
                return made
            self.hits += 1
            return made.value
        if not self._is_it(original_node):
            return made
        self.hits += 1
        text = code(made)
        if self.new[:1] in (".", "["):
            return expression(f"{text}{self.new}")
        return expression(f"{self.new}({text})")


def unwrap_return(module: cst.Module, change: Change) -> cst.Module:
    """Put an accessor behind a call or expression (`-` takes it off), or a function around it."""
    edit = _Unwrap(change)
    expression(f"x{edit.new}" if edit.new[:1] in (".", "[") else f"{edit.new}(x)")
    made = visit_scoped(module, edit)
    if not edit.hits:
        raise PrimitiveError(
            f"no call of {change.old}; {nearest(change.old, _called(module), 'call')}"
        )
    return made


class _Column(cst.CSTTransformer):
    """Renames texts that are keys, subscripts or arguments; not docstrings or what is returned."""

    def __init__(self, old: str, new: str) -> None:
        super().__init__()
        self.old, self.new = old, new
        self.hits = 0
        self.known: set[str] = set()
        self._kept: list[cst.CSTNode] = []

    def visit_Return(self, node: cst.Return) -> None:
        if isinstance(node.value, cst.Dict):
            self._kept += [e.key for e in node.value.elements if isinstance(e, cst.DictElement)]

    def visit_Expr(self, node: cst.Expr) -> bool:
        return not isinstance(node.value, cst.SimpleString | cst.ConcatenatedString)

    def visit_Comparison(self, node: cst.Comparison) -> None:
        sides = [node.left, *(one.comparator for one in node.comparisons)]
        if not any(isinstance(one.operator, cst.In | cst.NotIn) for one in node.comparisons):
            self._kept += sides

    def leave_SimpleString(
        self, original_node: cst.SimpleString, updated_node: cst.SimpleString
    ) -> cst.BaseExpression:
        value = original_node.evaluated_value
        if not isinstance(value, str) or any(original_node is one for one in self._kept):
            return updated_node
        self.known.add(value if value.isidentifier() else "")
        if value != self.old:
            return updated_node
        self.hits += 1
        quote = original_node.quote
        return updated_node.with_changes(value=f"{original_node.prefix}{quote}{self.new}{quote}")


def rename_column(module: cst.Module, change: Change) -> cst.Module:
    """Give a column of the data another name, wherever the script has it as a text."""
    if not all(
        text.isprintable() and not set(text) & set("\"'\\") for text in (change.old, change.new)
    ):
        raise PrimitiveError("rename_column takes two plain texts")
    edit = _Column(change.old, change.new)
    made = module.visit(edit)
    if not edit.hits:
        raise PrimitiveError(f"no text {change.old!r}; {nearest(change.old, edit.known, 'text')}")
    return made
