"""The pool: splits that share nothing, verified mutants, tasks of a user's own, QuixBugs layout."""

import json
import random
from collections import Counter

import pytest

from env_lib import cli
from env_lib.envs.repair import corpus
from env_lib.envs.repair.corpus import CorpusError, Function, belongs, functions, pool, split_of
from env_lib.envs.repair.generate import candidates, generate, kinds_for, main
from env_lib.envs.repair.kinds import OOD_KINDS
from env_lib.envs.repair.mutate import Mutant, content_hash, mutants
from env_lib.envs.repair.outside import task_from_source
from env_lib.envs.repair.pool_store import write_pool
from env_lib.envs.repair.runner import run_tests
from env_lib.envs.repair.verify import Made, require_right, verify

EVERY = [(split, order) for split in corpus.SPLITS for order in corpus.ORDERS]
DOUBLE = '"""Twice the number."""\n\n\ndef double(x):\n    return x * 2 if x > 0 else x + x\n'
CHECKS = """from solution import double


def test_a():
    assert double(3) == 6


def test_b():
    assert double(-3) == -6


def test_c():
    assert double(1) == 2


def test_d():
    assert double(0) == 0
"""


def test_splits_never_share_a_function_but_for_the_unseen_kinds():
    homes = {
        split: {t.function for n in corpus.ORDERS for t in pool(split, n)}
        for split in corpus.SPLITS
    }
    assert not homes["train"] & homes["val"]
    assert not homes["train"] & homes["test"]
    assert not homes["val"] & homes["test"]
    assert {split_of(name) for name in homes["test_ood"]} == {"test"}


@pytest.mark.parametrize(("split", "order"), EVERY)
def test_kinds_and_number_of_bugs_are_those_of_the_split(split, order):
    for task in pool(split, order):
        assert len(task.kinds) == order
        assert {kind in OOD_KINDS for kind in task.kinds} == {split == "test_ood"}


def test_no_two_tasks_have_the_same_content():
    rows = [task for split, order in EVERY for task in pool(split, order)]
    assert len({content_hash(task.source) for task in rows}) == len(rows)


def test_a_mixture_of_seen_and_unseen_kinds_belongs_nowhere():
    name = next(n for n in functions() if split_of(n) == "test")
    mixed = (next(iter(OOD_KINDS)), "constant")
    assert not any(belongs(name, mixed, split) for split in corpus.SPLITS)
    assert len(kinds_for(name)) == 2


@pytest.mark.slow
def test_generated_mutants_fail_visible_and_hidden_tests_and_are_the_same_again():
    names = list(functions())[3:6]
    made = generate(6, 5, orders=(1, 2), workers=1, names=names)
    assert len(made.rows) == 6
    assert generate(6, 5, orders=(1, 2), workers=1, names=names).rows == made.rows
    for row in made.rows:
        home = functions()[row["function"]]
        assert [name for name, _ in run_tests(row["source"], home.tests).failed] == row["failing"]
        assert not run_tests(row["source"], home.hidden).all_passed
    with pytest.raises(ValueError, match="n=0"):
        generate(0)


def test_a_function_of_ones_own_becomes_tasks():
    made = task_from_source(DOUBLE, CHECKS, n=3)
    assert 1 <= len(made) <= 3
    for task in made:
        assert not run_tests(task.source, task.tests).all_passed
        assert run_tests(task.reference, task.hidden).all_passed
    assert "test_b" not in made[0].tests
    assert "test_b" in made[0].hidden


def test_a_function_that_fails_its_own_tests_is_refused():
    with pytest.raises(CorpusError, match=r"does not pass its tests: test_a"):
        task_from_source(DOUBLE.replace("x * 2", "x * 3"), CHECKS)
    with pytest.raises(CorpusError, match="1 test functions"):
        task_from_source(DOUBLE, CHECKS.partition("\n\n\ndef test_b")[0])


def test_every_mutant_of_the_pool_is_a_task_of_some_split():
    drawn = {task.id for split, order in EVERY for task in pool(split, order)}
    bundled = {json.loads(line)["id"] for line in corpus.pool_file().read_text().splitlines()}
    assert bundled <= drawn


def test_five_thousand_distinct_verified_mutants_are_bundled():
    rows = [json.loads(line) for line in corpus.pool_file().read_text().splitlines()]
    assert len(rows) == 5000
    assert len({content_hash(row["source"]) for row in rows}) == len(rows)
    assert all(row["id"] == content_hash(row["source"])[:12] for row in rows)
    assert all(row["failing"] and row["hidden_failing"] > 0 for row in rows)
    assert {len(row["kinds"]) for row in rows} == set(corpus.ORDERS)


def test_the_command_makes_tasks_and_tells_time_and_rejections(tmp_path, capsys, monkeypatch):
    few = dict(list(functions().items())[3:5])
    monkeypatch.setattr("env_lib.envs.repair.generate.functions", lambda: few)
    out = tmp_path / "own.jsonl"
    arguments = ["generate", "repair", "--n", "3", "--seed", "1", "--out", str(out)]
    assert cli.main(arguments) == 0
    shown = dict(line.split(": ", 1) for line in capsys.readouterr().out.strip().splitlines())
    assert shown["made"] == "3"
    assert float(shown["seconds"]) > 0
    assert "visible tests pass" in shown["rejected"]
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert sorted(len(row["kinds"]) for row in rows) == [1, 2, 3]


def test_a_pool_stands_beside_the_figures_of_its_making(tmp_path, capsys, monkeypatch):
    few = dict(list(functions().items())[3:5])
    monkeypatch.setattr("env_lib.envs.repair.generate.functions", lambda: few)
    out = tmp_path / "own.jsonl"
    assert main(["2", "--order", "2", "--out", str(out)]) == 0
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    assert [len(row["kinds"]) for row in rows] == [2, 2]
    told = json.loads(out.with_suffix(".json").read_text())
    assert told["by_order"] == {"2": 2}
    assert told["seconds"] > 0
    assert set(told["rejected"]) <= {
        "duplicate", "visible tests pass", "hidden tests pass", "does not end",
    }  # fmt: skip
    assert "own.jsonl" in capsys.readouterr().out


def test_hidden_tests_that_do_not_end_catch_nothing():
    slow = "from solution import double\n\n\ndef test_hidden():\n"
    slow += "    x = double(3)\n    while x != 6:\n        pass\n"
    home = Function("double", DOUBLE, CHECKS, slow)
    wrong = Mutant("constant", 1, DOUBLE.replace("x * 2", "x * 3"), "")
    made = Made()
    verify([(home, wrong)], made, workers=1)
    assert made.rows == []
    assert made.rejected == {"does not end": 1}


def test_a_function_that_fails_its_tests_makes_no_mutants():
    wrong = Function("double", DOUBLE.replace("x * 2", "x * 3"), CHECKS, CHECKS)
    with pytest.raises(CorpusError, match="double does not pass its tests: test_a"):
        require_right([wrong], workers=1)


def test_what_was_made_with_fewer_bugs_is_not_made_again():
    home, rejected = Function("double", DOUBLE, CHECKS, CHECKS), Counter()
    seen = {content_hash(mutant.source) for mutant in mutants(DOUBLE)}
    assert list(candidates([home], 1, random.Random(0), rejected, seen)) == []
    assert rejected["duplicate"] > 0


@pytest.mark.parametrize(
    ("tests", "told"),
    [
        ("def test_a(:\n", "are no Python"),
        ("x = 1\n", "there are no tests"),
        (
            "import unittest\n\n\nclass T(unittest.TestCase):\n    def test_a(self):\n        0\n",
            "stand in the class T; plain functions are needed",
        ),
        ("from solution import triple\n\n\ndef test_a():\n    pass\n", "does not pass its tests"),
    ],
    ids=["syntax", "none", "class", "import"],
)
def test_tests_of_another_form_are_refused_with_a_reason(tests, told):
    with pytest.raises(CorpusError, match=told):
        task_from_source(DOUBLE, tests, hidden=CHECKS)


@pytest.mark.parametrize("line", ["from mymod import double", "import mymod", "import mymod as m"])
def test_a_module_of_another_name_is_named(line):
    used = {"import mymod": "mymod.double", "import mymod as m": "m.double"}.get(line, "double")
    tests = CHECKS.replace("from solution import double", line).replace("double(", f"{used}(")
    with pytest.raises(CorpusError, match=r"import mymod, .* it is `solution` here; give module="):
        task_from_source(DOUBLE, tests)
    (task,) = task_from_source(DOUBLE, tests, n=1, module="mymod")
    assert run_tests(task.reference, task.tests).all_passed


def test_parametrized_tests_and_inputs_that_are_no_plain_data_can_be_used():
    tests = "import pytest\nfrom solution import double\n\n\n"
    tests += "@pytest.mark.parametrize(('x', 'y'), [(3, 6), (0, 0), (-1, -2)])\n"
    tests += "def test_it(x, y):\n    assert double(x) == y\n"
    hidden = "from hypothesis import given\nfrom hypothesis import strategies as st\n"
    hidden += "from solution import double\n\n\n@given(st.fractions(1, 5))\n"
    hidden += "def test_fractions(x):\n    assert double(x) == x + x\n"
    for task in task_from_source(DOUBLE, tests, hidden=hidden, n=2):
        assert "fractions" in task.frozen_hidden()
        assert run_tests(task.reference, task.frozen_hidden()).all_passed
        assert not run_tests(task.source, task.frozen_hidden()).all_passed


def test_a_smaller_pool_takes_no_place_of_a_larger_one(tmp_path, monkeypatch, capsys):
    file = tmp_path / "pool.jsonl"
    file.write_text('{"id": "a"}\n' * 9)
    monkeypatch.setattr("env_lib.envs.repair.pool_store.pool_file", lambda: file)
    for arguments, told in (
        (["generate", "repair", "--n", "8"], "8 tasks of the 9 of the pool; give --n 9 or more"),
        (["generate", "repair", "--n", "9", "--split", "val"], "leave out --split"),
    ):
        with pytest.raises(SystemExit) as stop:
            cli.main(arguments)
        assert stop.value.code == 2
        assert told in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["8"])
    assert "8 mutants would take the place of the 9 of pool.jsonl" in capsys.readouterr().err
    with pytest.raises(CorpusError, match="0 mutants would take the place of the 9"):
        write_pool(Made())
    assert len(file.read_text().splitlines()) == 9
    assert write_pool(Made(), tmp_path / "own.jsonl").is_file()


def test_repeats_of_several_bugs_are_counted():
    twice = "def double(x):\n    y = x * 3\n    return y - x\n"
    home, rejected = Function("double", twice, CHECKS, CHECKS), Counter()
    found = list(candidates([home], 2, random.Random(0), rejected, set()))
    assert len({mutant.source for _, mutant in found}) == len(found)
    assert rejected["duplicate"] > 0
