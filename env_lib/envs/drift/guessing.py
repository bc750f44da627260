"""What is worth a look, and guesses beyond a message: for the rule-based policies."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from env_lib.envs.drift import reading
from env_lib.envs.drift.action import DriftObservation
from env_lib.envs.drift.looking import bindings, libraries, resolved
from env_lib.envs.drift.records import Change


def missing_path(seen: DriftObservation) -> str:
    """Return the dotted name of what is not there, as well as the message tells it."""
    name, message = reading.missing(seen.message), seen.message
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
    name = reading.missing(seen.message)
    words = [word for word in re.findall(r"[A-Za-z_][\w.]*", answer) if word != name]
    for other in reading.ranked(name, words)[:2]:
        if reading.likeness(name, other.rpartition(".")[2]) >= reading.CLOSE:
            yield Change("rename_symbol", "", name, other.rpartition(".")[2])


def wanted_look(seen: DriftObservation) -> str:
    """Return the symbol whose signature may tell the repair, "" where none is worth a step."""
    keyword = reading.unexpected(seen.message)
    if keyword:
        call = reading.call_with(seen, keyword)
        path = reading.path_of(call, seen.code) if call else ""
        return path or _method_path(seen)
    return missing_path(seen)


def _method_path(seen: DriftObservation) -> str:
    """Return `library.Class.method` of a message such as `Class.method() got …`."""
    found = reading.CALLED.search(seen.message)
    root = seen.versions[0][0] if seen.versions else seen.library
    if not found or "." not in found.group(1):
        return ""
    return f"{root}.{found.group(1).removesuffix('.__init__')}"


def silent_guesses(seen: DriftObservation) -> Iterator[Change]:
    """Yield what may mend a script that runs with another result: defaults and shapes of returns.

    Booleans that one often sets come first, on the calls from the last one up.
    """
    for call in reversed(reading.calls(seen.code)):
        name = ast.unparse(call.func).rpartition(".")[2]
        have = {k.arg for k in call.keywords}
        for keyword, values in USUAL.items():
            if keyword not in have and name in values[0]:
                for value in values[1]:
                    yield Change("set_kwarg", "", f"{name}.{keyword}", value)


def switches(seen: DriftObservation, look: Callable[[str], str]) -> Iterator[Change]:
    """Yield every True or False that is a default of what the script calls, turned over.

    `look` tells the signature of a dotted path, "" where there is none.
    """
    for call in reversed(reading.calls(seen.code)):
        name = ast.unparse(call.func).rpartition(".")[2]
        have = {k.arg for k in call.keywords}
        for path in _paths(call, seen.code):
            for keyword, default in _SWITCH.findall(look(path)):
                if keyword not in have and name.isidentifier():
                    turned = "False" if default == "True" else "True"
                    yield Change("set_kwarg", "", f"{name}.{keyword}", turned)


_SWITCH = re.compile(r"\b(\w+)=(True|False)\b")


def suggested(seen: DriftObservation) -> Iterator[Change]:
    """Yield repairs by the library's own advice, then what was looked at, then the message."""
    told, look = dict(seen.told), wanted_look(seen)
    if reading.advice(seen.message):
        yield from reading.from_message(seen)
    if told.get(look) and reading.unexpected(seen.message):
        yield from reading.from_signature(seen, told[look])
    elif told.get(look):
        yield from from_names(seen, told[look])
    yield from reading.from_message(seen)
    if not seen.error_type:
        yield from silent_guesses(seen)


def called(code: str) -> list[str]:
    """Return where what a script calls stands, from the last call up, methods after the rest."""
    calls = [c for c in reversed(reading.calls(code)) if _paths(c, code)]
    calls.sort(key=lambda call: _paths(call, code) != [reading.path_of(call, code)])
    return list(dict.fromkeys(path for call in calls for path in _paths(call, code)))


def paths_of(name: str, code: str) -> list[str]:
    """Return where the calls of a name may stand; the name may be `call.keyword`."""
    called = name.partition(".")[0]
    same = [c for c in reading.calls(code) if ast.unparse(c.func).rpartition(".")[2] == called]
    return [path for call in same for path in _paths(call, code)]


def _paths(call: ast.Call, code: str) -> list[str]:
    """Return where what is called may stand: an import's path, or a method of an imported class."""
    path = reading.path_of(call, code)
    roots = libraries(code)
    if path.split(".")[0] in roots:
        return [path]
    if not isinstance(call.func, ast.Attribute):
        return []
    classes = [one for one in bindings(code).values() if one.rpartition(".")[2][:1].isupper()]
    frames = ["pandas.DataFrame", "pandas.Series"] if "pandas" in roots else []
    return [f"{owner}.{call.func.attr}" for owner in (*classes, *frames)]


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
