"""Tabular Q-learning: what it sees, what it does not try twice, and that it learnt something."""

import json

import pytest

from env_lib.envs.repair import qtable
from env_lib.envs.repair.env import RepairEnv, RepairObservation
from env_lib.envs.repair.policies import POLICIES
from env_lib.envs.repair.qview import Memory, column, failure
from env_lib.envs.repair.smells import smells
from env_lib.rollout import run_episode


def seen(message="", error="", code="", offers=(), passed=("test_a",)):
    failed = (("test_b", message),) if message else ()
    return RepairObservation(
        prompt="",
        code=code,
        passed=passed,
        failed=failed,
        error_type=error,
        offers=offers,
        budget=8,
    )


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("", ""),
        ("f(1) raised IndexError: list index out of range", "IndexError"),
        ("f(1) raised TypeError: 'NoneType' object is not iterable", "none"),
        ("f(1) returned None, expected 3", "none"),
        ("f(1) returned '3', expected 3", "type"),
        ("f(1) returned False, expected is True", "truth"),
        ("f(1) returned 2, expected 3", "less"),
        ("f(1) returned 2.5, expected 1.5", "more"),
        ("f(1) returned [1], expected [1, 2]", "shorter"),
        ("f(1) returned 'aab', expected 'ab'", "longer"),
        ("f(1) returned (1, 2), expected (2, 1)", "other"),
        ("sorted(x) is [1, 2], expected [1]", "longer"),
        ("f(1) returned [1, 2, 3, 4, 5, 6, 7, expected", "unclear"),
        ("f(1) returned [1, 2], expected [1, 2, 3, 4, 5,", "unclear"),
        ("assertion failed", "unclear"),
    ],
)
def test_a_failure_is_told_by_its_message(message, kind):
    assert failure(seen(message)) == kind


def test_code_that_does_not_run_fails_as_the_runner_says():
    assert failure(seen("out of time", error="timeout")) == "timeout"


@pytest.mark.parametrize(
    ("clean", "smelly"),
    [
        ("def f(a, b):\n    return a - b\n", "def f(a, b):\n    return a - a\n"),
        ("def f(a, b):\n    return a < b\n", "def f(a, b):\n    return b < b\n"),
        ("def f(a, b):\n    return a[b]\n", "def f(a, b):\n    return b[b]\n"),
        ("def f(a, b):\n    return max(a, b)\n", "def f(a, b):\n    return max(a, a)\n"),
        ("def f(a, b):\n    return a.get(b)\n", "def f(a, b):\n    return a.get(a)\n"),
        ("def f(a):\n    return a\n", "def f(a):\n    b = a\n    return a\n"),
        ("def f(a):\n    a = a or 1\n    return a\n", "def f(a):\n    a = a\n    return a\n"),
        ("def f(a):\n    return a + 1\n", "def f(a):\n    a + 1\n"),
        ("def f(a=None):\n    return a\n", "def f(a=[]):\n    return a\n"),
    ],
)
def test_what_a_linter_points_at_is_a_smell(clean, smelly):
    assert smells(clean) == 0
    assert smells(smelly) > 0


def test_a_source_that_is_no_python_has_no_smell():
    assert smells("def f(:\n") == 0


def test_a_column_says_which_bug_is_mended_and_whether_a_smell_goes():
    code = "def f(a, b):\n    return a - a > 0\n"
    assert column(code, "use_other_variable:b", 2) == "wrong_variable-"
    assert column(code, "increment_constant", 2) == "constant"
    assert column(code.replace("a - a", "a - b"), "use_other_variable:b", 2) == "wrong_variable+"


def test_of_offers_alike_the_one_on_a_line_that_can_raise_goes_first():
    code = "def f(a, b):\n    d = a[0]\n    e = a\n    return d, e, a, b\n"
    offers = (("use_other_variable:b", 3), ("use_other_variable:b", 2))
    message = "f(1, 2) raised TypeError: 'int' object is not subscriptable"
    choices = Memory().choices(seen(message, code=code, offers=offers))
    assert choices["wrong_variable"].offer == 1


def test_what_was_tried_on_a_code_is_not_tried_on_it_again():
    env, policy = RepairEnv(scenario="R3", split="val"), POLICIES["q_learning"]()
    for seed in range(4):
        obs, tried = env.reset(seed=seed), set()
        policy.start(env, seed)
        while not obs.done:
            action = policy(obs)
            if action.action_type == "apply":
                choice = (obs.code, obs.offers[action.offer])
                assert choice not in tried
                tried.add(choice)
            obs = env.step(action)


def test_training_is_the_same_again_and_begins_as_that_of_the_bundled_table():
    told = json.loads(qtable.table_file().read_text("utf-8"))
    first = qtable.train(stop_after=qtable.CHECKED)
    assert first.digest() == told["begins"]
    assert qtable.QTable(told["values"]).digest() != told["begins"]


def test_the_bundled_table_is_small_and_sorted():
    text = qtable.table_file().read_text("utf-8")
    assert len(text) < 60_000
    assert json.dumps(json.loads(text), sort_keys=True) == json.dumps(json.loads(text))


def test_it_solves_more_of_the_validation_split_than_random_does():
    solved = {"q_learning": 0.0, "random": 0.0}
    for name in solved:
        for seed in range(12):
            env = RepairEnv(scenario="R1", split="val")
            solved[name] += run_episode(env, POLICIES[name](), seed).metrics["solved"]
    assert solved["q_learning"] >= solved["random"] + 4
