"""Tasks of a user's own function; see `quixbugs` for a checkout in that layout."""

from __future__ import annotations

import ast
import random
import re

from env_lib.envs.repair.corpus import CorpusError, Function, Task
from env_lib.envs.repair.mutate import mutants
from env_lib.envs.repair.verify import Made, require_right, verify

NAME = "own"
MODULE = "solution"
"""What the tests of every task import."""


def task_from_source(
    source: str,
    tests: str,
    *,
    hidden: str | None = None,
    seed: int = 0,
    n: int = 10,
    module: str = MODULE,
) -> list[Task]:
    """Build verified tasks from a right module and its tests.

    `tests` import from `module` and are top-level functions, parametrized ones too; where no
    `hidden` ones are given, every second test is hidden. In the tasks, whatever its name was, the
    module is called `solution`, and each has one bug.

    Raises:
        CorpusError: the module does not pass, there are under two tests, tests stand in a class or
            do not import the module, or no mutant is caught.
    """
    tests, hidden = _of_solution(tests, module), hidden and _of_solution(hidden, module)
    visible, unseen = (tests, hidden) if hidden is not None else _halves(tests)
    for what, text in (("tests", visible), ("hidden tests", unseen)):
        if not _names(text, what):
            raise CorpusError(f"there are no {what}: functions named test_... are needed")
        if MODULE not in (known := _imported(text)):
            raise CorpusError(
                f"the {what} import {', '.join(known) or 'nothing'}, and not the module under "
                f"test: it is `{MODULE}` here; give module= where it has another name"
            )
    home = Function(NAME, source, visible, unseen)
    require_right([home], workers=1)
    found = mutants(source)
    random.Random(f"repair/own/{seed}").shuffle(found)
    made = Made()
    for start in range(0, len(found), n):
        if len(made.rows) >= n:
            break
        verify([(home, mutant) for mutant in found[start : start + n]], made, workers=1)
    if not made.rows:
        raise CorpusError(
            f"no mutant of {len(found)} is caught by the tests; stronger ones are needed: "
            f"{dict(made.rejected)}"
        )
    return [
        Task(row["id"], NAME, tuple(row["kinds"]), row["source"], source, visible, unseen)
        for row in made.rows[:n]
    ]


def _of_solution(tests: str, module: str) -> str:
    """Return the tests with `solution` in place of `module` in their import lines."""
    if module == MODULE:
        return tests
    name = re.escape(module)
    tests = re.sub(rf"^(\s*from\s+){name}(\s+import\b)", rf"\1{MODULE}\2", tests, flags=re.M)
    tests = re.sub(rf"^(\s*import\s+){name}(\s+as\b)", rf"\1{MODULE}\2", tests, flags=re.M)
    plain = rf"^(\s*import\s+){name}(?=\s*(?:#|$))"
    return re.sub(plain, rf"\1{MODULE} as {module}", tests, flags=re.M)


def _imported(tests: str) -> list[str]:
    """Return the modules that tests import, in order."""
    found = []
    for node in ast.walk(ast.parse(tests)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            found.append(node.module or ".")
    return list(dict.fromkeys(found))


def _names(tests: str, what: str = "tests") -> list[str]:
    """Return the names of the test functions of a module.

    Raises:
        CorpusError: the tests cannot be read, or some are methods of a class.
    """
    try:
        tree = ast.parse(tests)
    except (SyntaxError, ValueError) as error:
        raise CorpusError(f"the {what} are no Python: {error}") from error
    for node in (node for node in tree.body if isinstance(node, ast.ClassDef)):
        inner = ast.walk(node)
        if any(isinstance(n, ast.FunctionDef) and n.name.startswith("test") for n in inner):
            raise CorpusError(
                f"the {what} stand in the class {node.name}; plain functions are needed"
            )
    return [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]


def _halves(tests: str) -> tuple[str, str]:
    """Deal the test functions in turn; everything else goes to both halves."""
    names = _names(tests)
    if len(names) < 2:
        raise CorpusError(f"{len(names)} test functions; at least two are needed, one to be hidden")
    halves = []
    for left_out in (names[1::2], names[::2]):
        body = [
            node
            for node in ast.parse(tests).body
            if not (isinstance(node, ast.FunctionDef) and node.name in left_out)
        ]
        halves.append(ast.unparse(ast.Module(body=body, type_ignores=[])) + "\n")
    return halves[0], halves[1]
