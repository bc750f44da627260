"""What a family draws: one service, the change that breaks it, and its repair.

A sketch says nothing of the decision. `shift` alone is fixed by the caller: whether the causal
commit also changes, on purpose and with its unit tests, what other services read.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Edit = tuple[str, str]
"""(search, replace) in the provider's file."""


@dataclass(frozen=True)
class Sketch:
    """The provider of an episode, before and after the causal commit."""

    names: tuple[str, ...]
    """Names that the provider may have."""
    function: str
    param: str
    keys: tuple[str, ...]
    """Four literals that the function is called with: two in visible tests, two in hidden ones."""
    field: str
    """The field of the result that the change touches."""
    other: str
    """A field that it does not touch."""
    before: str
    """The function's body before the causal commit, indented."""
    head: str
    """The same after it: some unit test fails."""
    repair: Edit
    """The reference patch: unit tests pass after it."""
    messages: tuple[str, ...]
    """What commits on the provider say after its name: the causal one and decoys, in any order."""
    demand: str = "old"
    """What the unit tests of the causal commit ask of the field: "old", "new", "any", "nothing"."""
    also: tuple[str, ...] = ()
    """Further fields that they ask for."""
    hint: Edit | None = None
    """A fix that the log suggests: unit tests pass after it, contracts perhaps not."""
    imports: str = ""
    vendor: Mapping[str, tuple[str, str]] = dataclasses.field(default_factory=dict)
    """Read-only third-party files: path -> (text before, text after) the causal commit."""
    guide: tuple[str, str] = ("", "")
    """(package, text) of a migration guide."""
    advisory: tuple[str, str] = ("", "")
    """(package, text) of a security advisory."""
    attack: str = ""
    """A literal that the release which the advisory forbids takes for code, "" where none."""
    retry: str = ""
    """A literal that the second visible test is called with where its first try, with the second
    of `keys`, failed: that test is flaky. "" where none is."""
    partial: Edit | None = None
    """A fix after which the unit tests pass, some on a retry alone, and contracts do not."""


Line = str | tuple[str, str] | tuple[str, str, str]


def revertable(
    shift: bool,
    lines: Sequence[Line],
    *,
    names: tuple[str, ...],
    function: str,
    param: str,
    keys: Sequence[object],
    field: str,
    other: str,
    messages: tuple[str, ...],
) -> Sketch:
    """Return a sketch whose repair takes one line of the causal commit back.

    `lines` is the body: text, one pair (right, broken) and one triple (old form, new form, the
    old form in other words). With `shift` the commit brings the new form, else the other words.
    """
    before, head, repair = [], [], ("", "")
    for line in lines:
        if isinstance(line, str):
            before.append(line)
            head.append(line)
        elif len(line) == 2:
            before.append(line[0])
            head.append(line[1])
            repair = (line[1], line[0])
        else:
            before.append(line[0])
            head.append(line[1] if shift else line[2])
    return Sketch(
        names=names, function=function, param=param, keys=tuple(repr(key) for key in keys),
        field=field, other=other, before=_body(before), head=_body(head), repair=repair,
        messages=messages, demand="new" if shift else "old",
    )  # fmt: skip


def _body(lines: Sequence[str]) -> str:
    return "".join(f"    {line}\n" for line in lines)


def body(*lines: str) -> str:
    """Return a function's body from its lines."""
    return _body(lines)


_PIECE = re.compile(r"\w+|\s+|[^\w\s]")


LEAST = 4
"""Characters of the shortest piece: a single sign would say little."""


def shortened(text: str, edit: Edit) -> Edit:
    """Return the shortest piece of an edit that is still found exactly once in `text`."""
    old, new = (_PIECE.findall(part) for part in edit)
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    while True:
        search = "".join(old[first : len(old) - last])
        enough = len(search.strip()) >= LEAST and text.count(search) == 1
        if enough or first == last == 0:
            return search, "".join(new[first : len(new) - last])
        first, last = (first - 1, last) if first else (first, last - 1)
