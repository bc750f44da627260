"""The evaluation: who plays which episodes, its stages, and that what is compared is paired."""

import dataclasses
from pathlib import Path

import pytest

from env_lib import judge
from env_lib.core import InvalidAction
from env_lib.envs.supervise import figures
from env_lib.envs.supervise.env import TOLD_TOKENS
from env_lib.profiles import PROFILES
from env_lib.registry import DUTIES, duty_module, policies
from env_lib.rollout import Answer, Episode, Step, TextPolicy, replay_episode
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


FINISH = '{"action_type": "finish"}'


class Writer(TextPolicy):
    """Writes the same text whatever it is asked; held to a grammar, it is named so."""

    def __init__(self, text, name=""):
        self.text, self.name = text, name

    def answer(self, system_prompt, prompts):
        return [Answer(self.text) for _ in prompts]

    def constrained(self, action_type):
        return Writer(self.text, f"{self.name}+constrained")


def run_of(duty, folder, **changes):
    return Run(duty, dataclasses.replace(PROFILES["smoke"], **changes), 0, folder)


def first_lines(episodes):
    return [step.prompt.split("policy, first that fits: ") for e in episodes for step in e.steps]


def test_a_stage_is_judged_told_the_rules_too_and_stored_episodes_say_so(tmp_path):
    run = run_of("supervise", tmp_path)
    found = judge.stage_episodes(run, "grpo", Writer(FINISH))
    names = ["grpo", "grpo+constrained", "grpo+told", "grpo+told+constrained"]
    assert list(found) == names
    for name in names:
        told = "+told" in name
        assert {e.policy for e in found[name]} == {name}
        assert {(e.split, e.scenario) for e in found[name]} == set(judge.judge_tiers(run))
        assert {len(parts) for parts in first_lines(found[name])} == {2 if told else 1}
        assert {e.options.get("told", False) for e in found[name]} == {told}
        again = replay_episode(found[name][0])
        assert again.trajectory_hash == found[name][0].trajectory_hash
    pairs = judge.differences(found, [("grpo+told", "grpo")])
    assert set(pairs["episodes"]) == {1, 2}


def test_the_warm_start_and_other_duties_are_judged_as_they_were(tmp_path):
    run = run_of("supervise", tmp_path)
    assert list(judge.stage_episodes(run, "sft", Writer(FINISH))) == [
        "sft", "sft+constrained"
    ]  # fmt: skip
    other = run_of("release", tmp_path)
    assert list(judge.stage_episodes(other, "grpo", Writer("no action"))) == [
        "grpo", "grpo+constrained"
    ]  # fmt: skip
    assert [d for d in DUTIES if judge.told_options(run_of(d, tmp_path))] == ["supervise"]


@pytest.mark.parametrize("tokens", [128, 1024])
def test_told_prompts_have_room_for_the_longest_policy_and_no_less_than_the_profile(
    tokens, tmp_path
):
    options = judge.told_options(run_of("supervise", tmp_path, prompt_tokens=tokens))
    assert options == {"prompt_tokens": max(tokens, TOLD_TOKENS), "told": True}


def test_what_the_rules_are_worth_is_compared_and_shown():
    assert ("grpo+told", "grpo") in judge.comparisons("supervise")
    assert not [pair for pair in judge.comparisons("release") if "+told" in pair[0]]
    assert {f"{stage}{judge.TOLD_MARK}" for stage in judge.TOLD} <= set(figures.SHOWN)


def test_an_answer_that_is_no_action_is_still_judged_told(tmp_path):
    run = run_of("supervise", tmp_path, eval_stride=4)
    found = judge.stage_episodes(run, "base_few_shot", Writer("no"))
    kinds = {step.action["action_type"] for e in found["base_few_shot+told"] for step in e.steps}
    assert kinds == {InvalidAction(raw="", error="").action_type}


def test_duties_of_long_episodes_play_fewer_but_never_none(tmp_path):
    longer = {duty: getattr(duty_module(duty, "policies"), "FEWER_EPISODES", 1) for duty in DUTIES}
    assert longer["supervise"] > longer["release"] > longer["triage"] == 1
    for duty, times in longer.items():
        run = run_of(duty, tmp_path)
        assert run.plays(16) == 16 // times
        assert run.plays(1) == 1
        assert len(judge.judge_seeds(run)) == run.plays(run.profile.eval_episodes)
