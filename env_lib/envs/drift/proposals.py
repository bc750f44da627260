"""Breakages that can be proposed about a script: all eight kinds, of what the script uses.

Nothing here is checked: running tells which of them break the script and can be mended. What is
proposed can be found out: by the message, by `inspect`, or by trying.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Iterator

from env_lib.envs.drift import reading
from env_lib.envs.drift.looking import bindings, libraries
from env_lib.envs.drift.records import Change

SYNONYMS = {
    "max": "top", "min": "least", "eval": "assess", "num": "count", "n": "number", "size": "extent",
    "train": "fit", "data": "rows", "columns": "fields", "column": "field", "index": "labels",
    "name": "title", "model": "network", "strategy": "plan", "steps": "updates", "batch": "chunk",
    "by": "key", "axis": "along", "random": "chance", "state": "seed", "learning": "step",
    "rate": "pace", "output": "target", "dir": "folder", "split": "part", "text": "words",
}  # fmt: skip
SUCCESSORS = {
    "numpy.abs": ("abs($a)", "absolute($a)"),
    "numpy.max": ("max($args)", "amax($args)"),
    "numpy.min": ("min($args)", "amin($args)"),
    "numpy.round": ("round($args)", "around($args)"),
    "numpy.concatenate": ("concatenate($args)", "concat($args)"),
    "pandas.Series.tolist": ("$o.tolist()", "$o.to_list()"),
    "pandas.Series.isna": ("$o.isna()", "$o.isnull()"),
    "pandas.Series.agg": ("$o.agg($args)", "$o.aggregate($args)"),
    "pandas.DataFrame.agg": ("$o.agg($args)", "$o.aggregate($args)"),
    "pandas.DataFrame.isna": ("$o.isna()", "$o.isnull()"),
    "pandas.DataFrame.to_dict": ("$o.to_dict($args)", "$o.copy().to_dict($args)"),
}
"""What may be removed: the form that a script has, and the one that is as good."""
PLACES = {
    "pandas": "pandas.api.types", "numpy": "numpy.lib", "sklearn": "sklearn.utils",
    "scipy": "scipy.special", "transformers": "transformers.utils", "datasets": "datasets.utils",
    "peft": "peft.utils", "trl": "trl.trainer", "torch": "torch.utils",
    "tokenizers": "tokenizers.tools", "pydantic": "pydantic.types",
}  # fmt: skip
"""Library -> a module of it that a name may move to."""
TOKENIZER = "transformers.PreTrainedTokenizerFast.__call__"
TABLES = (
    "pandas.DataFrame", "datasets.Dataset.from_dict", "datasets.Dataset.from_list",
    TOKENIZER,
)  # fmt: skip
"""What takes columns, or gives them: where one may have another name."""
OWNERS = {"pandas": "pandas.DataFrame", "datasets": "datasets.Dataset"}
"""Library -> the class that a script's method calls are most often of."""


def invented(word: str, rng: random.Random) -> str:
    """Return a name for what a word means that no release has."""
    if word[:1].isupper():
        return f"{rng.choice(('New', 'Base', 'Core'))}{word}"
    parts = [SYNONYMS.get(part, part) for part in word.split("_")]
    made = "_".join(parts)
    return made if made != word else f"{word}_{rng.choice(('spec', 'value', 'option'))}"


def target_of(call: ast.Call, source: str) -> str:
    """Return the dotted name of what is called; a guess for methods, which running confirms."""
    path = reading.path_of(call, source)
    if "." in path or not isinstance(call.func, ast.Attribute):
        return path if "." in path else ""
    owner = next((OWNERS[name] for name in libraries(source) if name in OWNERS), "")
    return f"{owner}.{call.func.attr}" if owner else ""


def candidates(source: str, rng: random.Random) -> Iterator[Change]:
    """Yield breakages of what a script uses, in random order: each of the eight kinds."""
    found: list[Change] = []
    for call in reading.calls(source):
        path = target_of(call, source)
        if not path:
            continue
        for keyword in call.keywords:
            if keyword.arg:
                new = invented(keyword.arg, rng)
                found.append(Change("rename_kwarg", path, keyword.arg, new))
                found.append(Change("remove_kwarg", path, keyword.arg, ""))
        name = path.rpartition(".")[2]
        found.append(Change("rename_symbol", path, name, invented(name, rng)))
        found.append(Change("change_return", path, "", "[0]"))
        found += keyword_alone(call, path)
    found += removed(source) + moved(source) + renamed_columns(source, rng)
    found += tokenizer_keywords(source) + _defaults(source)
    unique = list(dict.fromkeys(found))
    rng.shuffle(unique)
    yield from unique


def keyword_alone(call: ast.Call, path: str) -> list[Change]:
    """Return that the last argument which is given by its place is taken by keyword alone."""
    from env_lib.envs.drift.render import parameters
    from env_lib.envs.drift.signature import signature

    if not call.args or any(isinstance(one, ast.Starred) for one in call.args):
        return []
    last = len(call.args) - 1
    names = parameters(signature(path))
    names = names[1:] if names[:1] == ["self"] else names
    return [Change("rename_kwarg", path, str(last), names[last])] if last < len(names) else []


def _name_in(path: str, source: str) -> str:
    """Return how a script writes a dotted name of a module; "" where it does not import it."""
    module, _, last = path.rpartition(".")
    for local, known in bindings(source).items():
        if known == path:
            return local
        if known == module:
            return f"{local}.{last}"
    return ""


def removed(source: str) -> list[Change]:
    """Return removals of what a script calls and the library has a second form for."""
    found = []
    for path, (old, new) in SUCCESSORS.items():
        if path.partition(".")[0] not in libraries(source):
            continue
        if old.startswith("$"):
            if f".{path.rpartition('.')[2]}(" in source:
                found.append(Change("remove_symbol", path, old, new))
            continue
        written = _name_in(path, source)
        head = written.rpartition(".")[0]
        if head and f"{written}(" in source:
            found.append(Change("remove_symbol", path, f"{head}.{old}", f"{head}.{new}"))
    return found


def moved(source: str) -> list[Change]:
    """Return moves of imported names to another module of their library, which is there."""
    return [
        Change("move_symbol", path, name, PLACES[root])
        for name, path in bindings(source).items()
        for root in [path.partition(".")[0]]
        if root in PLACES and "." in path and path.rpartition(".")[2] == name
    ]


def renamed_columns(source: str, rng: random.Random) -> list[Change]:
    """Return other names for the columns of tables that a script makes."""
    tables = [path for path in TABLES if path.partition(".")[0] in libraries(source)]
    texts: dict[str, None] = {}
    for node in ast.walk(ast.parse(source)):
        keys: list[ast.AST | None] = list(node.keys) if isinstance(node, ast.Dict) else []
        if isinstance(node, ast.Subscript):
            keys = [node.slice]
        for key in keys:
            if isinstance(key, ast.Constant) and str(key.value).isidentifier():
                texts[str(key.value)] = None
    return [
        Change("rename_column", path, text, invented(text, rng))
        for path in tables
        if path.rpartition(".")[2] in source or path.endswith("__call__")
        for text in texts
    ]


def tokenizer_keywords(source: str) -> list[Change]:
    """Return removals of what a script tells its tokenizer by keyword."""
    return [
        Change("remove_kwarg", TOKENIZER, word.arg, "")
        for call in reading.calls(source)
        if ast.unparse(call.func) == "tokenizer" and "transformers" in libraries(source)
        for word in call.keywords
        if word.arg
    ]


def _defaults(source: str) -> list[Change]:
    from env_lib.envs.drift.invent import defaults

    return [change for change, _ in defaults(source)]
