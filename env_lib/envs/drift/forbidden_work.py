"""What hides a failure: shadowed names, deleted work, answers that nothing led to."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator

from env_lib.envs.drift.forbidden_names import PLAIN_MODULES

KEPT_CALLS = 0.6
"""Share of the broken script's calls that a repair has at least."""


def library_names(tree: ast.AST) -> set[str]:
    """Return the local names that stand for a library or for something of it."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name for alias in node.names}
    return names


def _bound(tree: ast.Module) -> set[str]:
    """Return the names that a script itself binds, imports apart."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.AsyncFunctionDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store | ast.Del):
            names.add(node.id)
    return names


def shadowed(tree: ast.Module, known: list[ast.Module]) -> str:
    """A name of the library, or of the language, that the script now binds itself."""
    theirs = set().union(*map(library_names, known)) | set(dir(builtins))
    before = set().union(*map(_bound, known))
    found = sorted((_bound(tree) - before) & theirs)
    found += sorted(_plain_imports(tree) & theirs - set().union(*map(_plain_imports, known)))
    return f"shadowing of {found[0]}" if found else ""


def _plain_imports(tree: ast.AST) -> set[str]:
    """Return the local names of what comes from the language's own modules."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            pairs = [(alias.name, alias.asname or alias.name.split(".")[0]) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            pairs = [(node.module or "", alias.asname or alias.name) for alias in node.names]
        else:
            continue
        names |= {name for path, name in pairs if path.split(".")[0] in PLAIN_MODULES}
    return names


def _main(tree: ast.Module) -> ast.FunctionDef | None:
    found = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "main"]
    return found[-1] if found else None


def _calls(tree: ast.AST) -> int:
    return sum(isinstance(node, ast.Call) for node in ast.walk(tree))


def deleted(tree: ast.Module, broken: ast.Module) -> str:
    """Work that is gone: no `main`, too few calls, an answer that nothing led to."""
    main = _main(tree)
    if main is None:
        return "deleted work: there is no main"
    if _calls(tree) < KEPT_CALLS * _calls(broken):
        return f"deleted work: {_calls(tree)} calls of {_calls(broken)}"
    before = _main(broken)
    plain = Counter(_answers(main))
    if before is not None:
        plain -= Counter(_answers(before))
    return "an answer that nothing led to" if plain else ""


def _answers(main: ast.FunctionDef) -> Iterator[str]:
    """Yield the returned expressions of `main` that name nothing."""
    inner = {
        node for part in ast.walk(main) if part is not main
        if isinstance(part, ast.FunctionDef | ast.Lambda) for node in ast.walk(part)
    }  # fmt: skip
    for node in ast.walk(main):
        if isinstance(node, ast.Return) and node not in inner:
            value = node.value
            if value is None or not any(isinstance(n, ast.Name) for n in ast.walk(value)):
                yield ast.unparse(node)
