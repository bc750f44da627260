"""A checkout in the QuixBugs layout: small programs of our own, laid out the same way."""

import json

import pytest

from env_lib.envs.repair.corpus import CorpusError
from env_lib.envs.repair.quixbugs import quixbugs
from env_lib.envs.repair.runner import run_tests

GCD = "def gcd(a, b):\n    if b == 0:\n        return a\n    return gcd(b, a % b)\n"
PAIRS = "def pairs(xs):\n    return [(x, [x]) for x in xs]\n"
ODD = "def odd(x):\n    return x % 2 == 1\n"
LAST = "def last(node):\n    while node.after:\n        node = node.after\n    return node.value\n"
NODE = "class Node:\n    def __init__(self, value, after=None):\n"
NODE += "        self.value = value\n        self.after = after\n"
LAST_TESTS = """import pytest
from node import Node

if pytest.use_correct:
    from correct_python_programs.last import last
else:
    from python_programs.last import last


def test1():
    assert last(Node(3)) == 3


def test2():
    assert last(Node(3, Node(4))) == 4
"""
PROGRAMS = {
    "gcd": (GCD, GCD.replace("gcd(b, a % b)", "gcd(a % b, b)")),
    "pairs": (PAIRS, PAIRS.replace("[x])", "x)")),
    "odd": (ODD, ODD.replace("== 1", "== 0")),
    "last": (LAST, LAST.replace("node.after:", "node.after and node.after.after:")),
    "lost": (ODD.replace("odd", "lost"), ODD.replace("odd", "lost")),
}
ROWS = {
    "gcd": [[[17, 0], 17], [[13, 13], 13], [[37, 600], 1], [[20, 100], 20], [[6, 4], 2]],
    "pairs": [[[[1, 2]], [[1, [1]], [2, [2]]]], [[[3]], [[3, [3]]]]],
    "odd": [[3, False], [4, True]],
}


@pytest.fixture
def root(tmp_path):
    folders = ("correct_python_programs", "python_programs", "json_testcases", "python_testcases")
    for folder in folders:
        (tmp_path / folder).mkdir()
    for name, sources in PROGRAMS.items():
        for folder, source in zip(folders, sources, strict=False):
            (tmp_path / folder / f"{name}.py").write_text(source)
    for name, rows in ROWS.items():
        lines = "\n".join(map(json.dumps, rows)) + "\n"
        (tmp_path / "json_testcases" / f"{name}.json").write_text(lines)
    (tmp_path / "python_testcases" / "node.py").write_text(NODE)
    more = LAST_TESTS + "\n\ndef test3():\n    assert last(Node(1, Node(2, Node(5)))) == 5\n"
    (tmp_path / "python_testcases" / "test_last.py").write_text(more)
    return tmp_path


def test_tasks_are_read_and_what_cannot_be_used_is_said(root):
    found = quixbugs(root, visible=3)
    assert [task.id for task in found.tasks] == ["quixbugs-gcd", "quixbugs-last", "quixbugs-pairs"]
    for task in found.tasks:
        assert run_tests(task.reference, task.tests).all_passed
        assert run_tests(task.reference, task.hidden).all_passed
        assert not run_tests(task.source, task.tests).all_passed
        assert task.hidden != task.tests
    assert set(found.dropped) == {"odd", "lost"}
    assert "does not pass its shown tests: test_case_0" in found.dropped["odd"]
    assert found.dropped["lost"] == "there are no tests"


def test_a_folder_of_the_layout_that_is_missing_is_named(tmp_path):
    with pytest.raises(CorpusError, match="python_programs/ is missing"):
        quixbugs(tmp_path)


def test_rows_that_are_no_json_are_named(root):
    (root / "json_testcases" / "gcd.json").write_text("[[1, 2], 3]\n[broken\n")
    with pytest.raises(CorpusError, match=r"gcd\.json, line 2"):
        quixbugs(root)
