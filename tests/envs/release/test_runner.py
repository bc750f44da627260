"""Runs of tests: what runs after an edit, what is remembered, and what a retry passes over."""

import builtins

import pytest

from env_lib.envs.release import env as release
from env_lib.envs.release import looks
from env_lib.envs.release.action import act
from env_lib.envs.release.brute import Repository, failing
from env_lib.envs.release.env import ReleaseEnv
from env_lib.envs.release.runner import FIRST_TRY, run_checks
from env_lib.envs.release.world import build, patched
from env_lib.sandbox import Sandbox
from tests.envs.release.finding import seed_of


def started(tier="L2", seed=0):
    env = ReleaseEnv(scenario=tier, split="train")
    env.reset(seed=seed)
    return env


def noted(name):
    return act("replace", file_path=f"{name}/api.py", search="def label():",
               replace="def label():  # noted in a test of runs")  # fmt: skip


def test_an_edit_runs_the_checks_of_whom_it_can_reach_and_no_others(monkeypatch):
    asked = []

    def watched(tree, checks):
        asked.append({check.id for check in checks})
        return run_checks(tree, checks)

    monkeypatch.setattr(release, "run_checks", watched)
    env = started()
    world = env.world
    read_by_nobody = next(
        name for name in world.services if all(r.provider != name for r in world.reads)
    )
    for name in (world.provider, read_by_nobody):
        readers = {name}
        for _ in world.services:
            readers |= {r.consumer for r in world.reads if r.provider in readers}
        assert env.branch().step(noted(name)).error == ""
        assert asked.pop() == {check.id for check in world.checks if check.service in readers}
        assert readers < set(world.services)
        assert (len(readers) == 1) == (name == read_by_nobody)


def test_equal_files_are_not_run_again(monkeypatch):
    ran, run_tests = [], Sandbox.run_tests

    def counted(self, files, tests, limits=None):
        ran.append(files)
        return run_tests(self, files, tests, limits)

    monkeypatch.setattr(Sandbox, "run_tests", counted)
    env = started(seed=1)
    ran.clear()  # what an episode opens with
    first, twin = env.branch(), env.branch()
    path = env.world.path
    first.step(noted(env.world.provider))
    assert len(ran) == 1
    assert "noted in a test of runs" in ran[0][path]
    twin.step(act("view_commit_history"))
    twin.step(noted(env.world.provider))
    assert len(ran) == 1, "another episode with the same files"
    first.step(act("replace", file_path=path, search="  # noted in a test of runs", replace=""))
    first.step(noted(env.world.provider))
    assert len(ran) == 2, "the files as they were are run once, then known"
    first.step(act("replace", file_path=path, search="in a test of runs", replace="otherwise"))
    assert len(ran) == 3


@pytest.fixture(scope="module", params=["ship", "block", "rollback"])
def flaky(request):
    return build("train", "L1", seed_of(request.param, "flaky_test"))


def results(world, tree):
    name = f"test_{world.provider}_1"
    told = run_checks(tree, world.checks)
    return name, told


def test_a_flaky_test_fails_first_and_passes_on_its_retry_until_the_cause_is_repaired(flaky):
    partial = patched(flaky.tree, flaky.path, flaky.sketch.partial)
    for tree in (flaky.tree, partial):
        name, told = results(flaky, tree)
        assert told[name] == ""
        assert "'tick': " in told[name + FIRST_TRY]
        assert " None" in told[name + FIRST_TRY]
    name, told = results(flaky, flaky.repaired())
    assert told[name] == told[name + FIRST_TRY] == ""


def test_the_retry_hides_a_failure_that_readers_have(flaky):
    partial = patched(flaky.tree, flaky.path, flaky.sketch.partial)
    _, told = results(flaky, partial)
    unit = [check for check in flaky.checks if check.kind in ("unit", "hidden_unit")]
    assert not any(told[check.id] for check in unit), "the pipeline is green"
    visible = {c.service for c in flaky.checks if c.kind == "contract" and told[c.id]}
    hidden = {c.service for c in flaky.checks if c.kind == "hidden" and told[c.id]}
    assert visible == hidden == flaky.impacted
    assert looks.report_of(flaky, flaky.provider, "unit", told) == ""


def test_a_test_that_fails_on_both_tries_fails(flaky):
    broken = patched(flaky.tree, flaky.path, ("least = ", "least = 99 * "))
    name, told = results(flaky, broken)
    assert "None" in told[name]
    assert told[name + FIRST_TRY] == ""
    assert name in failing(broken, flaky.checks)


def test_the_log_names_the_test_that_passed_on_a_retry_and_no_other(flaky):
    _, told = results(flaky, flaky.tree)
    assert f"; flaky, passed on a retry: test_{flaky.provider}_1" in looks.log_of(
        flaky, "unit-tests", told
    )
    other = build("train", "L1", seed_of("ship", "rounding"))
    told = run_checks(other.tree, other.checks)
    assert "flaky" not in looks.log_of(other, "unit-tests", told)


def test_the_test_file_that_is_shown_does_the_same_by_itself(flaky):
    repository = Repository(flaky.tree)
    names = {"__builtins__": vars(builtins) | {"__import__": repository._import}}
    exec(flaky.tree[f"tests/{flaky.provider}.py"], names)
    test = names[f"test_{flaky.provider}_1"]
    with pytest.raises(AssertionError):
        test()
    test()
