"""Changes of a row in wider forms: for one call alone, for a text anywhere, with holes.

A hole stands for what is the snippet's own, or for a part that both sides have.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from dataclasses import replace

from env_lib.envs.drift.breakages import Breakage
from env_lib.envs.drift.records import Change

VARIANTS_AT_MOST = 12


def variants(row: Breakage, found: tuple[Change, ...]) -> Iterator[tuple[Change, ...]]:
    """Yield the changes that write a script in the old form of a row, narrow ones first."""
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
        if pair not in made and "$" in pair[0] and _says_much(pair[0]):
            made.append(pair)
    return [(a, b) for a, b in made]


def _says_much(pattern: str) -> bool:
    """Whether a pattern names something: `$a == $b` would fit any script."""
    return bool(
        re.search(r"(?<![$\w'\"])[A-Za-z_]\w+", re.sub(r"\b(in|not|is|and|or)\b", "", pattern))
    )


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
