"""Tasks of a checkout in the QuixBugs layout, which the user has; none of it is bundled.

`python_programs/` and `correct_python_programs/` hold a program each; its tests are the rows of
`json_testcases/<name>.json`, else the functions of `python_testcases/test_<name>.py`, for which
`node.py` is put before the program. Whatever the repaired program does not pass here is left out,
and said: tests that share more than data with the program, or that allow for a tolerance. The shown
tests must catch the bug; the hidden ones, which are outside data, need not.
"""

from __future__ import annotations

import ast
import json
from dataclasses import dataclass
from pathlib import Path

from env_lib.envs.repair.corpus import CorpusError, Task
from env_lib.envs.repair.runner import run_tests

KIND = "quixbugs"
HELPER = "node"
_PLAIN = """

def _plain(value):
    if hasattr(value, "__next__"):
        value = list(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value
"""


@dataclass(frozen=True)
class Checkout:
    """What was read of a checkout."""

    tasks: tuple[Task, ...]
    dropped: dict[str, str]
    """Programs that are left out, and why."""


def quixbugs(root: Path, visible: int = 4) -> Checkout:
    """Read a checkout; the first `visible` tests of a program are shown, the others hidden.

    Where there are no more than these, half of them are hidden; a single test is both.

    Raises:
        CorpusError: a folder of the layout is missing, or a file cannot be read; names it.
    """
    for name in ("python_programs", "correct_python_programs"):
        if not (root / name).is_dir():
            raise CorpusError(f"{name}/ is missing under {root.name}; is it a QuixBugs checkout?")
    tasks, dropped = [], {}
    for right in sorted((root / "correct_python_programs").glob("*.py")):
        name = right.stem
        buggy = root / "python_programs" / right.name
        if name in ("__init__", HELPER) or name.endswith("_test"):
            continue
        if not buggy.is_file():
            dropped[name] = "there is no program with its bug"
            continue
        task = _task(root, name, buggy, right, visible)
        wrong = "there are no tests" if task is None else _wrong(task)
        if task is None or wrong:
            dropped[name] = wrong
        else:
            tasks.append(task)
    return Checkout(tuple(tasks), dropped)


def _wrong(task: Task) -> str:
    """Say why a task cannot be used; "" where it can."""
    for what, tests in (("shown", task.tests), ("hidden", task.hidden)):
        report = run_tests(task.reference, tests)
        if not report.all_passed:
            name, message = report.failed[0] if report.failed else (report.error, report.message)
            return f"the repaired program does not pass its {what} tests: {name}: {message}"
    if run_tests(task.source, task.tests).all_passed:
        return "the program with its bug passes the shown tests"
    return ""


def _task(root: Path, name: str, buggy: Path, right: Path, visible: int) -> Task | None:
    rows = root / "json_testcases" / f"{name}.json"
    cases = root / "python_testcases" / f"test_{name}.py"
    helper = ""
    if rows.is_file():
        head, tests = f"from solution import {name}\n{_PLAIN}", _of_rows(name, rows)
    elif cases.is_file():
        head, tests, helper = _of_functions(root, name, cases)
    else:
        return None
    if not tests:
        return None
    shown = visible if len(tests) > visible else (len(tests) + 1) // 2
    return Task(
        id=f"{KIND}-{name}",
        function=name,
        kinds=(KIND,),
        source=helper + _program(buggy),
        reference=helper + _program(right),
        tests="\n\n".join([head, *tests[:shown]]) + "\n",
        hidden="\n\n".join([head, *(tests[shown:] or tests)]) + "\n",
    )


def _of_rows(name: str, path: Path) -> list[str]:
    """Return one test a row; tuples and generators compare with JSON's lists."""
    tests = []
    lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    for number, line in enumerate(lines):
        try:
            given, wanted = json.loads(line)
        except (ValueError, TypeError) as error:
            raise CorpusError(f"{path.name}, line {number + 1}: {error}") from error
        values = given if isinstance(given, list) else [given]
        call = f"{name}({', '.join(map(repr, values))})"
        tests.append(f"def test_case_{number}():\n    assert _plain({call}) == {wanted!r}\n")
    return tests


def _of_functions(root: Path, name: str, path: Path) -> tuple[str, list[str], str]:
    """Return what comes before the test functions, these, and the helper that they need."""
    tree = _read(path)
    helpers = [n for n in tree.body if isinstance(n, ast.ImportFrom) and n.module == HELPER]
    needs = {alias.name for node in helpers for alias in node.names}
    helper = root / "python_testcases" / f"{HELPER}.py"
    if not helper.is_file():
        helper = root / "python_programs" / f"{HELPER}.py"
    text = f"{helper.read_text('utf-8').rstrip()}\n\n\n" if needs and helper.is_file() else ""
    head, tests = [f"from solution import {', '.join(sorted({name, *needs}))}\n"], []
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test"):
            node.name = f"test_{node.name.removeprefix('test').removeprefix('_') or 'it'}"
            tests.append(ast.unparse(node))
        elif not (isinstance(node, ast.If | ast.Import | ast.ImportFrom) and _of_layout(node)):
            head.append(ast.unparse(node))
    return "\n".join(head), tests, text


def _of_layout(node: ast.stmt) -> bool:
    """Whether a statement says where the program comes from, which is `solution` here."""
    text = ast.unparse(node)
    return any(word in text for word in ("python_programs", "load_testdata", f"from {HELPER}"))


def _program(path: Path) -> str:
    """Return a program without its import of the helper, which stands before it."""
    lines = path.read_text("utf-8").splitlines(keepends=True)
    return "".join(line for line in lines if not line.strip().startswith(f"from {HELPER} import"))


def _read(path: Path) -> ast.Module:
    try:
        return ast.parse(path.read_text("utf-8"))
    except (SyntaxError, ValueError) as error:
        raise CorpusError(f"{path.name} is no Python: {error}") from error
