"""Finds the repair primitives that lead from one script to another, by looking at what differs.

Both directions are asked: from the old form to the new one for the repairs of a row, and back for
the way a healthy script is aged. Candidates come from the names, keywords, texts and expressions
that only one of the two has; what a sequence leads to is compared as a syntax tree, its imports
as a set.
"""

from __future__ import annotations

import ast
from collections import Counter
from functools import lru_cache

from env_lib.envs.drift.differences import candidates
from env_lib.envs.drift.primitives import PrimitiveError, apply
from env_lib.envs.drift.records import Change

MOST_REPAIRS = 3
TRIED_AT_MOST = 1500
"""Primitives that are tried on one pair, unless a caller wants fewer."""


@lru_cache(maxsize=4096)
def shape(source: str) -> str:
    """Return a form that is the same whatever the layout, the order of imports and of keywords."""
    tree = ast.parse(source)
    imports, rest = [], []
    for node in tree.body:
        if isinstance(node, ast.Import):
            imports += [f"{a.name} as {a.asname}" for a in node.names]
        elif isinstance(node, ast.ImportFrom):
            imports += [f"{node.module}: {a.name} as {a.asname}" for a in node.names]
        else:
            rest.append(ast.dump(_Sorted().visit(node)))
    return "\n".join([*sorted(set(imports)), *rest])


class _Sorted(ast.NodeTransformer):
    """Puts the keywords of a call in the order of their names."""

    def visit_Call(self, node: ast.Call) -> ast.Call:
        self.generic_visit(node)
        if all(word.arg for word in node.keywords):
            node.keywords.sort(key=lambda word: word.arg or "")
        return node


def repairs(
    source: str, wanted: str, most: int = MOST_REPAIRS, tries: int = TRIED_AT_MOST
) -> tuple[Change, ...] | None:
    """Return the shortest sequence of primitives from `source` to `wanted`; None where none is.

    A sequence may leave an import that is no longer needed, and nothing else.
    """
    frontier: list[tuple[str, tuple[Change, ...]]] = [(source, ())]
    tried = 0
    for _ in range(most):
        grown: list[tuple[str, tuple[Change, ...]]] = []
        for text, done in frontier:
            for change in candidates(text, wanted):
                tried += 1
                if tried > tries:
                    return None
                try:
                    made = apply(text, change)
                    if arrived(made, wanted):
                        return (*done, change)
                    if _distance(made, wanted) < _distance(text, wanted):
                        grown.append((made, (*done, change)))
                except (PrimitiveError, SyntaxError):
                    continue
        frontier = sorted(grown, key=lambda one: _distance(one[0], wanted))[:6]
    return None


def arrived(made: str, wanted: str) -> bool:
    """Whether a script is the wanted one, but for imports that it does not use."""
    own, other = shape(made).split("\n"), shape(wanted).split("\n")
    if own == other:
        return True
    over, missing = Counter(own) - Counter(other), Counter(other) - Counter(own)
    return not missing and all(" as " in line and _unused(line, made) for line in over)


def _unused(line: str, source: str) -> bool:
    path, _, alias = line.partition(" as ")
    name = alias if alias != "None" else path.rpartition(": ")[2].partition(".")[0]
    used = {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
    return name not in used


@lru_cache(maxsize=4096)
def _pieces(source: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.expr | ast.alias | ast.ImportFrom | ast.keyword | ast.arg):
            found[ast.dump(node)] += 1
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found[node.name] += 1
    return found


def _distance(one: str, two: str) -> int:
    a, b = _pieces(one), _pieces(two)
    return sum((a - b).values()) + sum((b - a).values())
