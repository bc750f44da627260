"""What an error message alone tells: rules from words to repairs, for the rule-based policies."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from env_lib.envs.drift.action import DriftObservation
from env_lib.envs.drift.looking import resolved
from env_lib.envs.drift.records import Change
from env_lib.envs.drift.render import parameters

NAME = r"['\"`]?([A-Za-z_](?:[\w.]*\w)?)['\"`]?"
_UNEXPECTED = re.compile(r"unexpected keyword arguments? '(\w+)'")
CALLED = re.compile(r"([\w.]+)\(\) got")
_MISSING = re.compile(r"has no attribute '(\w+)'|cannot import name '(\w+)'|name '(\w+)' is not")
_MEANT = re.compile(rf"[Dd]id you mean:? {NAME}[?,]")
_USE = re.compile(
    rf"(?:[Uu]se|use the|renamed to|replaced (?:by|with)|in favou?r of) {NAME}(?:\(\))?"
    r"(?: instead|[.,;]|$| )"
)
_ALIAS = re.compile(r"`([\w.]+)` was a deprecated alias for the builtin `(\w+)`")
_COLUMN = re.compile(r"KeyError: ['\"](.+?)['\"]|[Cc]olumns? ['\"]?(\w+)['\"]? (?:not|does)")
_LISTED = re.compile(r"['\"](\w+)['\"]")
CLOSE = 0.5
"""How like two names are, from 0 to 1, before one is taken for the other."""
INSIDE = 5
"""Letters of a name that count as a likeness where another name holds them."""


def unexpected(message: str) -> str:
    """Return the keyword that was refused, "" where none was."""
    found = _UNEXPECTED.search(message)
    return found.group(1) if found else ""


def missing(message: str) -> str:
    """Return the name that is not there, "" where none is named."""
    found = _MISSING.search(message)
    return next(filter(None, found.groups()), "") if found else ""


def called(message: str) -> str:
    """Return the callable that refused an argument, without `__init__`."""
    found = CALLED.search(message)
    return found.group(1).removesuffix(".__init__").rpartition(".")[2] if found else ""


def advice(message: str) -> str:
    """Return the name that the library's own words recommend, "" where they recommend none."""
    found = _USE.search(message)
    return found.group(1) if found else ""


def hint(message: str) -> str:
    """Return the name that a message recommends, a likeness that Python found included."""
    found = _MEANT.search(message)
    return advice(message) or (found.group(1) if found else "")


def from_message(seen: DriftObservation) -> Iterator[Change]:
    """Yield the repairs that the error message alone suggests, the likeliest first."""
    message, better = seen.message, hint(seen.message)
    keyword, name = unexpected(message), missing(message)
    if keyword:
        if better and better.isidentifier():
            yield Change("rename_kwarg", "", keyword, better)
        yield Change("drop_kwarg", "", keyword, "")
    elif alias := _ALIAS.search(message):
        yield Change("replace_symbol", "", alias.group(1), alias.group(2))
    elif better:
        wrong = name or _quoted_before(message, better)
        if any(k.arg == wrong for call in calls(seen.code) for k in call.keywords):
            yield Change("rename_kwarg", "", wrong, better)
        if wrong:
            yield Change("rename_symbol", "", wrong, better.rpartition(".")[2])
        if wrong and "." in better:
            yield Change("rename_symbol", "", wrong, better)
            yield Change("change_import", "", wrong, better.rpartition(".")[0])
    yield from _columns(seen)


def _quoted_before(message: str, better: str) -> str:
    """Return the first name in quotes, without what stands before its last dot."""
    for word in re.findall(r"['\"`]([A-Za-z_][\w.]*)(?:\(\))?['\"`]", message):
        if word != better:
            return word.rpartition(".")[2]
    return ""


def _columns(seen: DriftObservation) -> Iterator[Change]:
    found = _COLUMN.search(f"{seen.error_type}: {seen.message}")
    if not found:
        return
    wrong = next(filter(None, found.groups()))
    listed = [word for word in _LISTED.findall(seen.message) if word != wrong]
    for other in ranked(wrong, listed)[:2]:
        yield Change("rename_column", "", wrong, other)


def ranked(word: str, names: Sequence[str]) -> list[str]:
    """Return the names from the likest to a word to the least like it."""
    return sorted(dict.fromkeys(names), key=lambda name: -likeness(word, name))


def likeness(word: str, name: str) -> float:
    """Return how like two names are: by letters, and by the words between underscores."""
    one, other = word.lower(), name.lower()
    mine, theirs = set(one.split("_")), set(other.split("_"))
    parts = len(mine & theirs) / len(mine | theirs)
    short, long = sorted((one, other), key=len)
    inside = 0.9 if len(short) >= INSIDE and short in long else 0.0
    return max(SequenceMatcher(None, one, other).ratio(), parts, inside)


def calls(code: str) -> list[ast.Call]:
    """Return the script's calls, in the order of their lines."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError):
        return []
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def call_with(seen: DriftObservation, keyword: str) -> ast.Call | None:
    """Return the call that has a keyword, the one of the failing line first."""
    having = [c for c in calls(seen.code) if any(k.arg == keyword for k in c.keywords)]
    near = sorted(having, key=lambda c: abs(c.lineno - seen.line))
    return near[0] if near else None


def path_of(call: ast.Call, code: str) -> str:
    """Return the dotted path of what is called, "" where it is no import's."""
    text = ast.unparse(call.func)
    path = resolved(text, code)
    return path if path != text or "." not in text else ""


def from_signature(seen: DriftObservation, signature: str) -> Iterator[Change]:
    """Yield the repairs that the signature of the refusing callable suggests.

    A parameter that is like the refused keyword comes first, then the keyword is dropped, then come
    parameters whose default is of the kind of the value that was given.
    """
    keyword = unexpected(seen.message)
    call = call_with(seen, keyword)
    used = {k.arg for k in call.keywords} if call else set()
    free = [name for name in parameters(signature) if name not in used and name != "self"]
    close = [name for name in ranked(keyword, free) if likeness(keyword, name) >= CLOSE][:2]
    for name in close:
        yield Change("rename_kwarg", "", keyword, name)
    yield Change("drop_kwarg", "", keyword, "")
    given = next((k.value for k in call.keywords if k.arg == keyword), None) if call else None
    for name in free:
        if name not in close and _kind_of_default(signature, name) == _kind(given):
            yield Change("rename_kwarg", "", keyword, name)


def _kind_of_default(signature: str, name: str) -> str:
    found = re.search(rf"\b{re.escape(name)}=('[^']*'|[^,)]+)", signature)
    try:
        return _kind(ast.parse(found.group(1), mode="eval").body) if found else ""
    except SyntaxError:
        return ""


def _kind(node: ast.expr | None) -> str:
    return type(node.value).__name__ if isinstance(node, ast.Constant) else type(node).__name__
