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

NAME = r"['\"`]?([A-Za-z_][\w.]*?)['\"`]?"
_UNEXPECTED = re.compile(r"unexpected keyword arguments? '(\w+)'")
_CALLED = re.compile(r"([\w.]+)\(\) got")
_MISSING = re.compile(r"has no attribute '(\w+)'|cannot import name '(\w+)'|name '(\w+)' is not")
_MEANT = re.compile(rf"[Dd]id you mean:? {NAME}[?,]")
_USE = re.compile(
    rf"(?:[Uu]se|use the|renamed to|replaced (?:by|with)|in favou?r of) {NAME}(?:\(\))?"
    r"(?: instead|[.,;]|$| )"
)
_MODULE = re.compile(r"No module named '([\w.]+)'")
_COLUMN = re.compile(r"KeyError: ['\"](.+?)['\"]|[Cc]olumns? ['\"]?(\w+)['\"]? (?:not|does)")
_LISTED = re.compile(r"['\"](\w+)['\"]")
CLOSE = 0.55
"""How like two names are, from 0 to 1, before one is taken for the other."""


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
    found = _CALLED.search(message)
    return found.group(1).removesuffix(".__init__").rpartition(".")[2] if found else ""


def hint(message: str) -> str:
    """Return the name that a message recommends, "" where it recommends none."""
    found = _MEANT.search(message) or _USE.search(message)
    return found.group(1).strip(".") if found else ""


def from_message(seen: DriftObservation) -> Iterator[Change]:
    """Yield the repairs that the error message alone suggests, the likeliest first."""
    message, better = seen.message, hint(seen.message)
    keyword, name = unexpected(message), missing(message)
    if keyword:
        if better and better.isidentifier():
            yield Change("rename_kwarg", "", keyword, better)
        yield Change("drop_kwarg", "", keyword, "")
    elif better:
        wrong = name or _quoted_before(message, better)
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
    return max(SequenceMatcher(None, one, other).ratio(), parts)


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
    """Yield the repairs that the signature of the refusing callable suggests."""
    keyword = unexpected(seen.message)
    call = call_with(seen, keyword)
    used = {k.arg for k in call.keywords} if call else set()
    free = [name for name in parameters(signature) if name not in used and name != "self"]
    close = ranked(keyword, free)
    for name in close[:2]:
        if likeness(keyword, name) >= CLOSE:
            yield Change("rename_kwarg", "", keyword, name)
    yield Change("drop_kwarg", "", keyword, "")
    if close and likeness(keyword, close[0]) < CLOSE:
        yield Change("rename_kwarg", "", keyword, close[0])


def missing_path(seen: DriftObservation) -> str:
    """Return the dotted name of what is not there, as well as the message tells it."""
    name, message = missing(seen.message), seen.message
    if not name:
        return ""
    origin = re.search(r"from '([\w.]+)'|module '([\w.]+)'", message)
    if origin:
        return f"{next(filter(None, origin.groups()))}.{name}"
    kind = re.search(r"'(\w+)' object has|type object '(\w+)'", message)
    if not kind:
        return ""
    owner = next(filter(None, kind.groups()))
    path = resolved(owner, seen.code)
    root = seen.versions[0][0] if seen.versions else seen.library
    return f"{path}.{name}" if "." in path else f"{root}.{owner}.{name}"


def from_names(seen: DriftObservation, answer: str) -> Iterator[Change]:
    """Yield the repairs that the names beside a missing one suggest."""
    name = missing(seen.message)
    words = [word for word in re.findall(r"[A-Za-z_][\w.]*", answer) if word != name]
    for other in ranked(name, words)[:2]:
        if likeness(name, other.rpartition(".")[2]) >= CLOSE:
            yield Change("rename_symbol", "", name, other.rpartition(".")[2])


def wanted_look(seen: DriftObservation) -> str:
    """Return the symbol whose signature may tell the repair, "" where none is worth a step."""
    keyword = unexpected(seen.message)
    if keyword:
        call = call_with(seen, keyword)
        path = path_of(call, seen.code) if call else ""
        return path or _method_path(seen)
    return missing_path(seen)


def _method_path(seen: DriftObservation) -> str:
    """Return `library.Class.method` of a message such as `Class.method() got …`."""
    found = _CALLED.search(seen.message)
    root = seen.versions[0][0] if seen.versions else seen.library
    if not found or "." not in found.group(1):
        return ""
    return f"{root}.{found.group(1).removesuffix('.__init__')}"


def silent_guesses(seen: DriftObservation) -> Iterator[Change]:
    """Yield what may mend a script that runs with another result: defaults and shapes of returns.

    Booleans that one often sets come first, on the calls from the last one up.
    """
    for call in reversed(calls(seen.code)):
        name = ast.unparse(call.func).rpartition(".")[2]
        have = {k.arg for k in call.keywords}
        for keyword, values in USUAL.items():
            if keyword not in have and name in values[0]:
                for value in values[1]:
                    yield Change("set_kwarg", "", f"{name}.{keyword}", value)


USUAL: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "sort": (("groupby", "concat", "value_counts", "unique"), ("False", "True")),
    "observed": (("groupby", "pivot_table"), ("False", "True")),
    "ascending": (("sort_values", "sort_index", "rank", "value_counts"), ("False", "True")),
    "return_dict": (("apply_chat_template",), ("False",)),
    "weight_decay": (("AdamW",), ("0.0",)),
    "contiguous": (("shard",), ("False",)),
    "dropna": (("groupby", "value_counts", "nunique"), ("False", "True")),
    "numeric_only": (("mean", "sum", "corr", "median"), ("True",)),
    "shuffle": (("train_test_split", "KFold"), ("False", "True")),
    "random_state": (("train_test_split", "KMeans", "RandomForestClassifier"), ("0",)),
    "n_init": (("KMeans",), ("10",)),
    "truncation": (("__call__", "tok", "tokenizer"), ("True",)),
    "ddof": (("std", "var"), ("0", "1")),
    "how": (("merge", "join", "dropna"), ("'inner'", "'left'")),
}
"""Keyword -> (calls that have it, values that were the default once)."""
