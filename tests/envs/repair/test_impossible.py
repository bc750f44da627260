"""Impossible tasks: no code can pass tests that contradict each other."""

import ast

import pytest

from env_lib.envs.repair.corpus import named_tasks
from env_lib.envs.repair.drawing import SCENARIOS, task_of
from env_lib.envs.repair.impossible import contradicting, impossible, other_value
from env_lib.envs.repair.runner import run_tests

TESTS = "from solution import f\n\n\ndef test_one():\n    assert f(2, key='a') == [1, 2]\n"
TESTS += "\n\ndef test_two():\n    assert f(1) == 1\n    assert f(3) == 1\n"


@pytest.mark.parametrize(
    "value", [True, 0, 1.5, "", "abc", [], [1], (), (1, 2), {}, {"a": 1}, None], ids=repr
)
def test_the_other_value_differs_and_is_plain(value):
    other = other_value(value)
    assert other != value
    assert ast.literal_eval(repr(other)) == other


def test_the_contradiction_asks_the_same_call_for_another_answer():
    made = contradicting(TESTS)
    assert made is not None
    asserts = [node.test for node in ast.walk(ast.parse(made)) if isinstance(node, ast.Assert)]
    first, second = asserts
    assert ast.dump(first.left) == ast.dump(second.left)
    assert ast.literal_eval(first.comparators[0]) != ast.literal_eval(second.comparators[0])


def test_their_number_and_names_tell_nothing():
    made = contradicting(TESTS)
    names = [node.name for node in ast.parse(made).body if isinstance(node, ast.FunctionDef)]
    assert names == ["test_one", "test_two"]


def test_the_reference_fails_the_contradiction_of_every_named_task():
    for task in named_tasks().values():
        twin = impossible(task)
        assert twin is None or not run_tests(task.reference, twin.tests).all_passed


@pytest.mark.parametrize(
    "body", ["    assert f(1)\n", "    x = g()\n    assert f(x) == 2\n", "    assert f(1) != 2\n"]
)
def test_tests_of_another_form_give_no_contradiction(body):
    tests = f"from solution import f\n\n\ndef test_one():\n{body}\n\ndef test_two():\n{body}"
    assert contradicting(tests) is None


def test_a_single_test_cannot_contradict_itself():
    assert contradicting(TESTS.partition("\n\n\ndef test_two")[0] + "\n") is None


@pytest.mark.parametrize("tier", SCENARIOS)
def test_about_one_task_in_twenty_is_impossible(tier):
    drawn = [task_of("train", SCENARIOS[tier], seed) for seed in range(3000)]
    share = sum(task.impossible for task in drawn) / len(drawn)
    assert share == pytest.approx(0.05, abs=0.012)  # three standard errors
