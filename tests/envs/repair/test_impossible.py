"""Impossible tasks: no code can pass tests that contradict each other."""

import ast

import pytest

from env_lib.envs.repair.impossible import contradicting, other_value

TESTS = "from solution import f\n\n\ndef test_one():\n    assert f(2, key='a') == [1, 2]\n"


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


def test_its_name_is_free_and_tells_nothing():
    made = contradicting(TESTS + "\n\ndef test_one_again():\n    assert f(1) == 1\n")
    names = [node.name for node in ast.parse(made).body if isinstance(node, ast.FunctionDef)]
    assert names == ["test_one", "test_one_again", "test_one_too"]


@pytest.mark.parametrize(
    "body", ["    assert f(1)\n", "    x = g()\n    assert f(x) == 2\n", "    assert f(1) != 2\n"]
)
def test_tests_of_another_form_give_no_contradiction(body):
    assert contradicting(f"from solution import f\n\n\ndef test_one():\n{body}") is None
