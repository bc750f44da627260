"""`validate repair`: what is wrong with a task is a fault that names the file, never a crash."""

import json
import shutil
from dataclasses import replace

import pytest

from env_lib.envs.repair import checks, corpus
from env_lib.envs.repair.checks import metadata_faults
from env_lib.envs.repair.corpus import Function, Task
from env_lib.envs.repair.runner import Report


@pytest.fixture
def home(tmp_path):
    name = sorted(p.name for p in (corpus.folder() / "tasks").iterdir() if p.is_dir())[0]
    shutil.copytree(corpus.folder() / "tasks" / name, tmp_path / "tasks" / name)
    return tmp_path


def rewritten(home, **values):
    (path,) = home.glob("tasks/*/metadata.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | values))
    return list(metadata_faults(home))


def test_the_bundled_metadata_are_well_formed():
    assert list(metadata_faults(corpus.folder())) == []


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"kind": "typo"}, "kind is 'typo'; known: comparison_swap"),
        ({"function": "nothing"}, "function is 'nothing'; fixed.py defines none"),
        ({"difficulty": "hard"}, "difficulty is 'hard'; known: easy, medium"),
        ({"bug_type": "two words"}, "bug_type is 'two words'"),
        ({"id": "other"}, "id is 'other'"),
        ({"allowed_actions": ["apply", "pray"]}, "unknown action 'pray'"),
        ({"allowed_actions": "apply"}, "unknown action 'apply'"),
        ({"allowed_actions": []}, "allowed_actions is empty; known: apply"),
        ({"entry_module": "program"}, "entry_module is 'program'; known: solution"),
        ({"repair": " "}, "repair is ' '; a few words are needed"),
    ],
)
def test_a_wrong_value_is_a_fault(home, values, told):
    (fault,) = rewritten(home, **values)
    assert "metadata.json: " in fault
    assert told in fault


@pytest.mark.parametrize(
    ("text", "told"),
    [("{broken", "Expecting property name"), ("[1]", "holds a list"), ("{}", "id, title")],
)
def test_broken_metadata_are_a_fault_and_no_crash(home, text, told, monkeypatch):
    (path,) = home.glob("tasks/*/metadata.json")
    path.write_text(text)
    monkeypatch.setattr(corpus, "folder", lambda: home)
    (fault,) = checks.faults()
    assert told in fault
    with pytest.raises(corpus.CorpusError, match=r"metadata\.json"):
        corpus.named_tasks.__wrapped__(home)


@pytest.mark.parametrize("name", checks.METADATA)
def test_a_missing_entry_is_named(home, name):
    (path,) = home.glob("tasks/*/metadata.json")
    told = json.loads(path.read_text())
    del told[name]
    path.write_text(json.dumps(told))
    assert [line.partition(": ")[2] for line in metadata_faults(home)] == [f"{name} missing"]


def test_a_task_without_a_readme_is_a_fault(home):
    (path,) = home.glob("tasks/*/README.md")
    path.unlink()
    (fault,) = metadata_faults(home)
    assert fault.endswith("README.md is missing or empty")


RIGHT = "def double(x):\n    return x + x\n"
WRONG = "def double(x):\n    return x * x\n"
TESTS = "from solution import double\n\n\ndef test_a():\n    assert double(3) == 6\n\n\n"
TESTS += "def test_b():\n    assert double(2) == 4\n"
HIDDEN = "from hypothesis import given, settings\nfrom hypothesis import strategies as st\n"
HIDDEN += (
    "from solution import double\n\n\n@settings(max_examples=5, derandomize=True, database=None)\n"
)
HIDDEN += "@given(st.integers(3, 9))\ndef test_many(x):\n    assert double(x) == 2 * x\n"
TASK = Task("own", "double", ("constant",), WRONG, RIGHT, TESTS, HIDDEN)
LENIENT = "from solution import double\n\n\ndef test_a():\n    assert double(2) == 4\n"
RAISING = HIDDEN.replace("    assert double", "    raise KeyError(7)\n    assert double")
COUNTING = "SEEN = []\n\n\ndef double(x):\n    SEEN.append(x)\n    return 2 * x + len(SEEN) // 2\n"


def found(monkeypatch, *, function=None, named=None, pooled=None):
    """The faults where one function, one named task or one mutant is all that there is."""
    home = Function("double", RIGHT, TESTS, HIDDEN)
    homes = {"double": replace(home, **function)} if function is not None else {}
    tasks = {"own": replace(TASK, **named)} if named is not None else {}
    rows = [replace(TASK, **pooled)] if pooled is not None else []
    monkeypatch.setattr(corpus, "functions", lambda: homes)
    monkeypatch.setattr(corpus, "named_tasks", lambda: tasks)
    monkeypatch.setattr(corpus, "pool", lambda split, n: rows if (split, n) == ("val", 1) else [])
    return checks.faults(workers=1)


@pytest.mark.parametrize("where", ["function", "named", "pooled"])
def test_what_is_as_it_should_be_has_no_fault(monkeypatch, where):
    assert found(monkeypatch, **{where: {}}) == []


FAULTS = {
    "a function fails a visible test": (
        "function", {"source": WRONG}, "functions/double/tests.py on solution.py: should pass, ",
    ),
    "a function fails a property": (
        "function", {"source": WRONG}, "functions/double/hidden_tests.py on solution.py: test_many",
    ),
    "a property raises": (
        "function", {"hidden": RAISING},
        "hidden_tests.py on solution.py: test_many fails on the reference: KeyError: 7",
    ),
    "a property is no Python": (
        "function", {"hidden": "def test_a(:"}, "double/hidden_tests.py on solution.py: the hidden "
        "tests are no Python",
    ),
    "hidden tests cannot be read": (
        "named", {"hidden": HIDDEN.replace("st.integers", "st.nothing_such")},
        "tasks/own/hidden_tests.py (double) on fixed.py: the hidden tests cannot be read",
    ),
    "the repair fails": (
        "named", {"reference": WRONG.replace("* x", "* 0")},
        "tasks/own/tests.py (double) on fixed.py: should pass, test_a fails: double(3) returned 0",
    ),
    "the broken program passes": (
        "named", {"tests": LENIENT}, "tasks/own/tests.py (double) on buggy.py: should fail, all 1",
    ),
    "hidden tests let the bug through": (
        "named", {"hidden": LENIENT},
        "tasks/own/hidden_tests.py (double) on buggy.py: should fail, all 1 tests pass",
    ),
    "the broken program cannot be imported": (
        "named", {"source": "def double(x:\n"},
        "tasks/own/tests.py (double) on buggy.py: should fail its tests, but cannot be imported",
    ),
    "a mutant of the pool is none": (
        "pooled", {"source": RIGHT}, "pool.jsonl, own (double), tests: should fail, all 2",
    ),
    "hidden tests of the pool let a mutant through": (
        "pooled", {"hidden": LENIENT}, "pool.jsonl, own (double), hidden tests: should fail, all 1",
    ),
    "contradicting tests of a function can be passed": (
        "function", {"source": COUNTING, "hidden": LENIENT},
        "functions/double, contradicting tests on solution.py: should fail, all 2",
    ),
    "contradicting tests can be passed": (
        "pooled", {"reference": COUNTING, "hidden": LENIENT},
        "pool.jsonl, own (double), contradicting tests on the original: should fail, all 2",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("where", "changes", "told"), FAULTS.values(), ids=FAULTS)
def test_a_fault_names_its_file_its_function_and_its_reason(monkeypatch, where, changes, told):
    lines = found(monkeypatch, **{where: changes})
    assert [line for line in lines if told in line], lines


def test_runs_that_do_not_agree_are_flaky():
    one, other = Report(("test_a",), ()), Report((), (("test_a", "no"),))
    assert list(checks._judged("tests.py", [one, one, one], True)) == []
    (fault,) = checks._judged("tests.py", [one, one, other], True)
    assert fault == "tests.py: flaky, 3 runs do not agree"
