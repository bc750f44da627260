"""Who is judged on which episodes, and that what is compared is paired."""

from pathlib import Path

from env_lib import judge
from env_lib.profiles import PROFILES
from env_lib.registry import policies
from env_lib.rollout import Episode, Step
from env_lib.runs import Run

REPAIR = Run("repair", PROFILES["cpu"], 0, Path())


def test_honest_rules_of_repair_play_more_tasks_and_those_of_the_models_first():
    models = judge.judge_seeds(REPAIR)
    for name in ("random", "search", "q_learning", "heuristic", "oracle"):
        seeds = judge.rule_seeds(REPAIR, name)
        assert seeds[: len(models)] == models
        assert len(set(seeds)) == len(seeds) >= 20
    assert judge.rule_seeds(REPAIR, "always_submit") == models


def test_where_a_duty_says_nothing_all_play_the_same_tasks():
    run = Run("triage", PROFILES["cpu"], 0, Path())
    assert {tuple(judge.rule_seeds(run, name)) for name in policies("triage")} == {
        tuple(judge.judge_seeds(run))
    }


def played(policy, seeds, reward):
    return [
        Episode("repair", "R1", "test", seed, policy, steps=[Step("", {}, reward + seed, {})])
        for seed in seeds
    ]


def test_differences_are_taken_on_the_tasks_that_both_played():
    found = {"grpo": played("grpo", range(3), 2.0), "search": played("search", range(24), 1.5)}
    rows = judge.differences(found, [("grpo", "search")])
    assert set(rows["episodes"]) == {3}
    assert set(rows["mean"]) == set(rows["low"]) == {0.5}
