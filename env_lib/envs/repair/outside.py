"""Tasks that are not bundled: a user's own function, and a checkout in the QuixBugs layout."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from env_lib.envs.repair.corpus import CorpusError, Task


def task_from_source(
    source: str, tests: str, *, hidden: str | None = None, seed: int = 0, n: int = 10
) -> list[Task]:
    """Build verified tasks from a right module and its tests.

    `tests` import from `solution`; where no `hidden` ones are given, every second test is hidden.

    Raises:
        CorpusError: the module does not pass, there are under two tests, or no mutant is caught.
    """
    from env_lib.envs.repair.corpus import Function
    from env_lib.envs.repair.generate import Made, verify
    from env_lib.envs.repair.mutate import mutants
    from env_lib.envs.repair.runner import run_tests

    visible, unseen = (tests, hidden) if hidden is not None else _halves(tests)
    for what, text in (("tests", visible), ("hidden tests", unseen)):
        report = run_tests(source, text)
        if not report.all_passed:
            name, message = report.failed[0] if report.failed else (report.error, report.message)
            raise CorpusError(f"the source does not pass its {what}: {name}: {message}")
    import random

    home = Function("own", source, visible, unseen)
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
        Task(row["id"], "own", tuple(row["kinds"]), row["source"], source, visible, unseen)
        for row in made.rows[:n]
    ]


def _halves(tests: str) -> tuple[str, str]:
    """Deal the test functions in turn; everything else goes to both halves."""
    import ast

    tree = ast.parse(tests)
    names = [
        node.name
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    ]
    if len(names) < 2:
        raise CorpusError(f"{len(names)} test functions; at least two are needed, one to be hidden")
    halves = []
    for keep in (names[::2], names[1::2]):
        body = [
            node
            for node in tree.body
            if not (isinstance(node, ast.FunctionDef) and node.name in names) or node.name in keep
        ]
        halves.append(ast.unparse(ast.Module(body=body, type_ignores=[])) + "\n")
    return halves[0], halves[1]


def quixbugs(root: Path, visible: int = 4) -> list[Task]:
    """Read a checkout in the QuixBugs layout; the first `visible` cases of a program are shown.

    Programs without `json_testcases/<name>.json` are left out: their tests need other modules.

    Raises:
        CorpusError: a folder of the layout is missing; the message names it.
    """
    for name in ("python_programs", "correct_python_programs", "json_testcases"):
        if not (root / name).is_dir():
            raise CorpusError(f"{name}/ is missing under {root.name}; is it a QuixBugs checkout?")
    found = []
    for cases in sorted((root / "json_testcases").glob("*.json")):
        name = cases.stem
        buggy = root / "python_programs" / f"{name}.py"
        right = root / "correct_python_programs" / f"{name}.py"
        if not (buggy.is_file() and right.is_file()):
            continue
        rows = [json.loads(line) for line in cases.read_text("utf-8").splitlines() if line.strip()]
        found.append(
            Task(
                id=f"quixbugs-{name}",
                function=name,
                kinds=("quixbugs",),
                source=buggy.read_text("utf-8"),
                reference=right.read_text("utf-8"),
                tests=_cases(name, rows[:visible]),
                hidden=_cases(name, rows[visible:] or rows),
            )
        )
    return found


def _cases(name: str, rows: Sequence[Sequence[object]]) -> str:
    """Write one test a case; generators are read to their end."""
    head = f"from solution import {name}\n\n\ndef _plain(value):\n"
    head += "    listed = hasattr(value, '__next__')\n"
    head += "    return list(value) if listed else value\n"
    tests = []
    for number, (given, wanted) in enumerate(rows):
        values = given if isinstance(given, list) else [given]
        call = f"{name}({', '.join(map(repr, values))})"
        tests.append(f"\n\ndef test_case_{number}():\n    assert _plain({call}) == {wanted!r}\n")
    return head + "".join(tests)
