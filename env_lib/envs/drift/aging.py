"""Writes a healthy script in the form of an older release, so that the installed one really fails.

What leads from a row's new form to its old one is found by `recover.repairs` and applied to scripts
that use the same interface, as it stands and in wider forms: with holes for what is the snippet's
own. `data/drift/weaves.json` names the changes where that finds nothing. What counts is decided by
running: the aged script must fail with the row's error, or, for a silent row, return another value.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

from env_lib.envs.drift import recover
from env_lib.envs.drift.breakages import Breakage
from env_lib.envs.drift.corpus import folder
from env_lib.envs.drift.primitives import PrimitiveError, apply
from env_lib.envs.drift.records import Change, Script
from env_lib.runs import read_json

VARIANTS_AT_MOST = 12
LONGEST = 100
"""Characters of both sides of a repair in the script's own words; a longer one keeps its holes."""
TRIES = 60
"""Primitives that are tried where the inverse of the changes does not lead back."""


@lru_cache(maxsize=1)
def _forms() -> dict[str, dict[str, list[list[str]]]]:
    path = folder() / "forms.json"
    return dict(read_json(path)) if path.is_file() else {}


def backwards(row: Breakage) -> tuple[Change, ...]:
    """Return the changes from a row's new form to its old one, () where none are found."""
    return _told(row, "backwards", row.new, row.old)


def forwards(row: Breakage) -> tuple[Change, ...]:
    """Return the repairs from a row's old form to its new one, () where none are found."""
    return _told(row, "forwards", row.old, row.new)


def _told(row: Breakage, way: str, source: str, wanted: str) -> tuple[Change, ...]:
    known = _forms()
    if known:
        return tuple(Change(*one) for one in known.get(row.id, {}).get(way, ()))
    return recover.repairs(source, wanted) or ()


@lru_cache(maxsize=1)
def _by_hand() -> dict[str, dict[str, list[list[str]]]]:
    path = folder() / "weaves.json"
    return dict(read_json(path)) if path.is_file() else {}


@dataclass(frozen=True)
class Aged:
    """A script in an older form."""

    source: str
    changes: tuple[Change, ...]
    """What led here from the healthy script."""
    repairs: tuple[Change, ...]
    """What leads back."""


def aged(script: Script, row: Breakage) -> Iterator[Aged]:
    """Yield the script in old forms of a row, the nearest form first."""
    named = _by_hand().get(script.name, {}).get(row.id)
    if named is not None:
        lists = [tuple(Change(primitive, "", old, new) for primitive, old, new in named)]
    else:
        lists = list(variants(row))
    seen = {script.source}
    for changes in lists:
        made = written(script.source, changes)
        if made is not None and made.source not in seen:
            seen.add(made.source)
            yield made


def written(source: str, changes: tuple[Change, ...]) -> Aged | None:
    """Return a script after changes, with the repairs that undo them; None where there are none."""
    text, undo = source, list[Change]()
    if not all(_mentioned(change, source) for change in changes[:1]):
        return None
    try:
        for change in changes:
            made = apply(text, change)
            undo = [*plainly(made, text, undone(text, change)), *undo]
            text = made
        ast.parse(text)
    except (PrimitiveError, SyntaxError):
        return None
    repairs = fitting(text, source, tuple(undo))
    return Aged(text, changes, repairs) if repairs else None


def plainly(source: str, wanted: str, undo: list[Change]) -> list[Change]:
    """Return what undoes a change in the script's own words where it has holes and that can be."""
    if not any("$" in one.old for one in undo):
        return undo
    for old, new in recover.differing(source, wanted):
        change = Change("replace_symbol", undo[0].target, old, new)
        if len(old) + len(new) > LONGEST:
            continue
        try:
            if recover.arrived(apply(source, change), wanted):
                return [change]
        except PrimitiveError:
            continue
    return undo


def _mentioned(change: Change, source: str) -> bool:
    """Whether a script has the words that a change looks for: quick, and never wrongly false."""
    old = change.old
    if change.primitive == "set_kwarg" or re.fullmatch(r"[\w.]+\.[\d,]+", old):
        old = old.rpartition(".")[0]
    words = re.findall(r"(?<![$\w])[A-Za-z_]\w*", old)
    return all(word in source for word in words)


def fitting(source: str, wanted: str, hint: tuple[Change, ...]) -> tuple[Change, ...]:
    """Return repairs from a script to another: the hint if it leads there, else what is found."""
    text = source
    try:
        for change in hint:
            text = apply(text, change)
        if recover.arrived(text, wanted):
            return hint
    except (PrimitiveError, SyntaxError):
        pass
    return recover.repairs(source, wanted, tries=TRIES) or ()


def undone(source: str, change: Change) -> list[Change]:
    """Return the repair that undoes a change of a script, as far as the change itself tells."""
    name, old, new = change.primitive, change.old, change.new
    if name == "set_kwarg":
        return [Change("drop_kwarg", "", old.rpartition(".")[2], "")]
    if name == "drop_kwarg":
        call, _, keyword = old.rpartition(".")
        values = _values(source, call, keyword)
        return [Change("set_kwarg", "", f"{one}.{keyword}", value) for one, value in values]
    if name == "unwrap_return":
        return [Change(name, "", old, new[1:] if new.startswith("-") else f"-{new}")]
    if name == "rename_kwarg":
        call, _, keyword = old.rpartition(".")
        return [Change(name, "", new, keyword)]
    return [Change(name, "", new, old)]


def _values(source: str, call: str, keyword: str) -> list[tuple[str, str]]:
    """Return (call, value) of a keyword, each once."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = ast.unparse(node.func).rpartition(".")[2]
            for word in node.keywords:
                if word.arg == keyword and call in ("", name) and name.isidentifier():
                    found[name] = ast.unparse(word.value)
    return list(found.items())


def variants(row: Breakage) -> Iterator[tuple[Change, ...]]:
    """Yield the changes that write a script in the old form of a row, narrow ones first."""
    found = backwards(row)
    if found:
        own = _locals(row.new) | _locals(row.old)
        choices = [_wider(change, row, own) for change in found]
        yield from itertools.islice(itertools.product(*choices), VARIANTS_AT_MOST)


def _locals(source: str) -> frozenset[str]:
    """Return the names that a snippet binds itself, by anything but an import."""
    nodes = list(ast.walk(ast.parse(source)))
    names = {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    return frozenset(names)


def _wider(change: Change, row: Breakage, own: frozenset[str]) -> list[Change]:
    made = []
    if change.primitive == "drop_kwarg" and "." not in change.old:
        calls = _calls_with(row.new, change.old)
        made += [replace(change, old=f"{call}.{change.old}") for call in calls]
    made.append(change)
    if change.primitive == "replace_symbol":
        wide = widened(change.old, change.new, own)
        made += [replace(change, old=old, new=new) for old, new in wide]
    if change.primitive == "set_kwarg":
        made += _texts(change, row)
    return list(dict.fromkeys(made))


def _calls_with(source: str, keyword: str) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and keyword in [word.arg for word in node.keywords]:
            name = ast.unparse(node.func).rpartition(".")[2]
            found += [name] if name.isidentifier() else []
    return found


def _texts(change: Change, row: Breakage) -> list[Change]:
    """Return the change of a keyword's text as one of the text itself, wherever it stands."""
    keyword = change.old.rpartition(".")[2]
    for node in ast.walk(ast.parse(row.new)):
        if isinstance(node, ast.keyword) and node.arg == keyword:
            old, new = node.value, ast.parse(change.new, mode="eval").body
            if isinstance(old, ast.Constant) and isinstance(new, ast.Constant):
                texts = (old.value, new.value)
                if all(isinstance(text, str) for text in texts):
                    return [Change("rename_column", "", *map(str, texts))]
    return []


def widened(old: str, new: str, own: frozenset[str]) -> list[tuple[str, str]]:
    """Return a pattern with holes for the snippet's own names, then for all that both have."""
    try:
        one, two = ast.parse(_bare(old), mode="eval").body, ast.parse(_bare(new), mode="eval").body
    except SyntaxError:
        return []
    names = {n.id for n in ast.walk(one) if isinstance(n, ast.Name)} & own
    made = []
    for parts in ({f"Name:{name}" for name in names}, names and None, None):
        holes = dict.fromkeys(parts) if parts is not None else dict.fromkeys(_common(one, two, own))
        if not holes or len(holes) > 4:
            continue
        labels = {part: f"HOLE_{letter}" for part, letter in zip(holes, "pqrs", strict=False)}
        texts = [_holed(side, labels) for side in (one, two)]
        pair = tuple(re.sub(r"HOLE_(\w)", r"$\1", text) for text in texts)
        if pair not in made and "$" in pair[0] and not pair[0].startswith("$a.astype"):
            made.append(pair)
    return [(a, b) for a, b in made]


def _bare(text: str) -> str:
    return re.sub(r"\$(\w+)", r"HOLE_\1", text)


def _key(node: ast.AST) -> str:
    return f"Name:{node.id}" if isinstance(node, ast.Name) else ast.dump(node)


def _common(one: ast.expr, two: ast.expr, own: frozenset[str]) -> list[str]:
    """Return the largest parts of `one` that `two` has too."""
    there = {_key(node) for node in ast.walk(two) if isinstance(node, ast.expr)}
    found: list[str] = []

    def look(node: ast.AST, top: bool) -> None:
        is_own = isinstance(node, ast.Name) and node.id in own
        whole = isinstance(node, ast.Call | ast.Constant | ast.List | ast.Tuple | ast.Dict)
        if not top and (is_own or whole) and _key(node) in there:
            found.append(_key(node))
            return
        for child in ast.iter_child_nodes(node):
            look(child, False)

    look(one, True)
    return found


def _holed(side: ast.expr, labels: dict[str, str]) -> str:
    class Holes(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            label = labels.get(_key(node)) if isinstance(node, ast.expr) else None
            return ast.Name(label) if label else super().generic_visit(node)

    return ast.unparse(Holes().visit(ast.parse(ast.unparse(side), mode="eval").body))
