"""The pool: splits that share nothing, verified mutants, tasks of a user's own, QuixBugs layout."""

import json

import pytest

from env_lib.envs.repair import corpus
from env_lib.envs.repair.corpus import CorpusError, belongs, functions, pool, split_of
from env_lib.envs.repair.generate import generate, kinds_for
from env_lib.envs.repair.kinds import OOD_KINDS
from env_lib.envs.repair.mutate import content_hash
from env_lib.envs.repair.outside import quixbugs, task_from_source
from env_lib.envs.repair.runner import run_tests

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


def test_generated_mutants_fail_visible_and_hidden_tests_and_are_the_same_again():
    names = list(functions())[:3]
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


def test_a_checkout_in_the_quixbugs_layout_is_read(tmp_path):
    wrong = "def gcd(a, b):\n    if b == 0:\n        return a\n    return gcd(a % b, b)\n"
    for folder, source in (
        ("python_programs", wrong),
        ("correct_python_programs", wrong.replace("gcd(a % b, b)", "gcd(b, a % b)")),
    ):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "gcd.py").write_text(source)
    cases = tmp_path / "json_testcases"
    with pytest.raises(CorpusError, match="json_testcases/ is missing"):
        quixbugs(tmp_path)
    cases.mkdir()
    rows = [[[17, 0], 17], [[13, 13], 13], [[37, 600], 1], [[20, 100], 20], [[6, 4], 2]]
    (cases / "gcd.json").write_text("\n".join(map(json.dumps, rows)))
    (cases / "lost.json").write_text("[[1], 1]\n")
    (task,) = quixbugs(tmp_path, visible=3)
    assert task.id == "quixbugs-gcd"
    assert run_tests(task.reference, task.tests).all_passed
    assert run_tests(task.reference, task.hidden).all_passed
    assert not run_tests(task.source, task.tests).all_passed


def test_every_mutant_of_the_pool_is_a_task_of_some_split():
    drawn = {task.id for split, order in EVERY for task in pool(split, order)}
    bundled = {json.loads(line)["id"] for line in corpus.pool_file().read_text().splitlines()}
    assert bundled <= drawn
