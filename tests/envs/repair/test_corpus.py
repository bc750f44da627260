"""The form of the bundled functions and named tasks; nothing of them is run here."""

import ast
import json
from pathlib import Path

import pytest

from env_lib.paths import DATA

FUNCTIONS = sorted((DATA / "repair" / "functions").glob("[!_.]*"))
TASKS = sorted((DATA / "repair" / "tasks").glob("[!_.]*"))
SETTINGS = "settings(max_examples=25, derandomize=True, deadline=None, database=None)"
IN_CODE = {"functools", "itertools", "math", "re", "string"}
IN_TESTS = IN_CODE | {
    "calendar", "collections", "datetime", "fnmatch", "hypothesis", "ipaddress", "os",
    "posixpath", "solution", "statistics", "textwrap", "urllib",
}  # fmt: skip
FIELDS = {
    "id", "title", "bug_type", "kind", "function", "difficulty", "entry_module", "allowed_actions",
    "repair",
}  # fmt: skip
ACTIONS = {"apply", "replace", "patch", "run_tests", "undo", "submit", "give_up"}
every_function = pytest.mark.parametrize("folder", FUNCTIONS, ids=lambda path: path.name)
every_task = pytest.mark.parametrize("folder", TASKS, ids=lambda path: path.name)
every_folder = pytest.mark.parametrize("folder", FUNCTIONS + TASKS, ids=lambda path: path.name)


def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def public(module: ast.Module) -> list[ast.FunctionDef]:
    functions = [node for node in module.body if isinstance(node, ast.FunctionDef)]
    return [function for function in functions if not function.name.startswith("_")]


def imported(module: ast.Module) -> set[str]:
    names = set()
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or ".").partition(".")[0])
    return names


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.name != "__pycache__"}


def programs(folder: Path) -> list[Path]:
    names = ("solution.py", "buggy.py", "fixed.py")
    return [folder / name for name in names if (folder / name).is_file()]


def name_of(folder: Path) -> str:
    if folder in FUNCTIONS:
        return folder.name
    return json.loads((folder / "metadata.json").read_text(encoding="utf-8"))["function"]


def cases(module: ast.Module) -> list[ast.FunctionDef]:
    return [function for function in public(module) if function.name.startswith("test_")]


def test_the_corpus_is_large_enough_and_has_the_named_tasks() -> None:
    assert len(FUNCTIONS) >= 64
    assert len(TASKS) == 15


def test_no_function_is_in_two_folders() -> None:
    names = [name_of(folder) for folder in FUNCTIONS + TASKS]
    assert len(set(names)) == len(names)


@every_function
def test_a_function_has_its_three_files(folder: Path) -> None:
    assert files(folder) == {"solution.py", "tests.py", "hidden_tests.py"}


@every_task
def test_a_task_has_its_six_files(folder: Path) -> None:
    expected = {"buggy.py", "fixed.py", "tests.py", "hidden_tests.py", "metadata.json", "README.md"}
    assert files(folder) == expected
    assert len((folder / "README.md").read_text(encoding="utf-8").splitlines()) == 3


@every_folder
def test_a_program_is_one_short_typed_function_with_its_task_as_docstring(folder: Path) -> None:
    for path in programs(folder):
        module = parsed(path)
        docstring = ast.get_docstring(module) or ""
        assert docstring.endswith("."), path
        assert "\n" not in docstring, path
        (function,) = public(module)
        assert function.name == name_of(folder)
        assert function.returns is not None
        assert all(argument.annotation for argument in function.args.args)
        least = 5 if path.name == "solution.py" else 2
        assert least <= len(ast.unparse(function).splitlines()), path
        assert (function.end_lineno or 0) - function.lineno < 18, path
        assert imported(module) <= IN_CODE, path


@every_folder
def test_four_visible_tests_are_plain(folder: Path) -> None:
    module = parsed(folder / "tests.py")
    tests = cases(module)
    assert len({test.name for test in tests}) == len(tests) == len(public(module)) == 4
    assert imported(module) == {"solution"}
    for test in tests:
        assert not test.decorator_list
        assert not test.args.args
        assert any(isinstance(line, ast.Assert) for line in test.body), test.name


@every_folder
def test_four_hidden_tests_hold_two_repeatable_properties(folder: Path) -> None:
    module = parsed(folder / "hidden_tests.py")
    tests = cases(module)
    assert len({test.name for test in tests}) == len(tests) == 4
    assert imported(module) <= IN_TESTS
    properties = [test for test in tests if test.args.args]
    assert len(properties) >= 2
    for test in properties:
        decorators = [ast.unparse(decorator) for decorator in test.decorator_list]
        assert decorators[0] == SETTINGS, test.name
        assert decorators[1].startswith("given("), test.name


@every_folder
def test_hidden_tests_are_others_than_the_visible_ones(folder: Path) -> None:
    visible, hidden = (
        {ast.unparse(test.body[-1]) for test in cases(parsed(folder / name))}
        for name in ("tests.py", "hidden_tests.py")
    )
    assert not hidden <= visible
    assert f"import {name_of(folder)}" in (folder / "hidden_tests.py").read_text(encoding="utf-8")


@every_task
def test_a_tasks_metadata_is_whole(folder: Path) -> None:
    facts = json.loads((folder / "metadata.json").read_text(encoding="utf-8"))
    assert set(facts) == FIELDS
    assert facts["id"] == folder.name
    assert facts["entry_module"] == "solution"
    assert facts["difficulty"] in ("easy", "medium")
    assert set(facts["allowed_actions"]) <= ACTIONS
    assert {"apply", "run_tests", "submit"} <= set(facts["allowed_actions"])
    assert facts["bug_type"].isidentifier()
    assert facts["title"]
    assert facts["repair"].endswith(".")


@every_task
def test_a_buggy_program_differs_from_its_reference_in_code_alone(folder: Path) -> None:
    buggy, fixed = parsed(folder / "buggy.py"), parsed(folder / "fixed.py")
    assert ast.get_docstring(buggy) == ast.get_docstring(fixed)
    assert ast.unparse(buggy) != ast.unparse(fixed)
