"""Which forms of an interface a script uses, and whether the old ones are gone."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator

from env_lib.envs.drift.records import Task

Use = tuple[str, str]


def uses(source: str) -> Counter[Use]:
    """Count the imports, attributes, called names, keywords and texts of a script."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return Counter()
    return Counter(found for node in ast.walk(tree) for found in _of(node))


def _of(node: ast.AST) -> Iterator[Use]:
    if isinstance(node, ast.Import):
        yield from (("import", alias.name) for alias in node.names)
    elif isinstance(node, ast.ImportFrom):
        yield from (("import", f"{node.module or ''}.{alias.name}") for alias in node.names)
    elif isinstance(node, ast.Attribute):
        yield "name", node.attr
    elif isinstance(node, ast.Name):
        yield "name", node.id
    elif isinstance(node, ast.keyword) and node.arg:
        yield "keyword", node.arg
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield "text", node.value


def old_form_is_gone(task: Task, source: str) -> bool:
    """Whether a script has no more of what the repairs took away than the reference has.

    A script that hides the failure, or gives the library its old interface back, still has it.
    """
    before, after, mine = uses(task.source), uses(task.reference), uses(source)
    return all(mine[use] <= after[use] for use in before - after)
