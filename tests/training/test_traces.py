"""SFT traces earn, are balanced, and follow from the seed."""

import random
from collections import Counter
from dataclasses import replace

import pytest

import env_lib
from env_lib.profiles import profile
from env_lib.registry import DUTIES, duty_module
from env_lib.runs import Run
from env_lib.training.traces import balanced, collect, corrections, lessons, traces


def rows_of(teacher, scenario="E2", seed=3):
    env = env_lib.make("triage", scenario=scenario, split="train", prompt_tokens=112)
    found = list(lessons(env, env_lib.policy("triage", teacher), seed))
    return env, [row for lesson in found for row in lesson]


def test_every_completion_is_a_valid_action():
    env, rows = rows_of("oracle")
    assert len(rows) > 40
    assert all(env.parse(row["completion"]).action_type == row["action_type"] for row in rows)


def test_only_steps_that_earned_are_kept():
    env, rows = rows_of("memory_aware")
    policy = env_lib.policy("triage", "memory_aware")
    episode = env_lib.run_episode(env, policy, seed=3)
    losing = {
        s.prompt
        for s in episode.steps
        if s.reward < -0.1 and s.action["action_type"] != "query_history"
    }
    assert losing
    assert not losing & {row["prompt"] for row in rows}


def test_a_question_is_kept_where_its_answer_led_to_a_move_that_earned():
    _, rows = rows_of("memory_aware")
    asked = [i for i, row in enumerate(rows) if row["action_type"] == "query_history"]
    assert asked
    for i in asked:
        assert rows[i + 1]["prompt"].split("\n")[0] == rows[i]["prompt"].split("\n")[0]


def test_balancing_lifts_rare_types_above_their_share():
    found = [[{"action_type": "label"}]] * 90 + [[{"action_type": "wait"}]] * 10
    drawn = balanced(found, 20, random.Random(0))
    counts = Counter(row["action_type"] for lesson in drawn for row in lesson)
    assert counts.total() == 20
    assert counts["wait"] > 2


def test_easy_types_get_a_quarter_of_their_weight():
    found = [[{"action_type": kind}] for kind in ("apply", "submit") for _ in range(100)]
    drawn = balanced(found, 50, random.Random(0), easy=("submit",))
    counts = Counter(row["action_type"] for lesson in drawn for row in lesson)
    assert counts == {"apply": 40, "submit": 10}


def test_lessons_stay_whole_but_for_the_last():
    found = [[{"action_type": "query_history", "n": n}, {"action_type": "label", "n": n}]
             for n in range(30)]  # fmt: skip
    drawn = balanced(found, 21, random.Random(0))
    assert sum(map(len, drawn)) == 21
    assert [len(lesson) for lesson in drawn] == [2] * 10 + [1]
    assert all(len({row["n"] for row in lesson}) == 1 for lesson in drawn)
    assert drawn[-1][0]["action_type"] == "label"


def test_leaving_alone_is_shown_where_a_question_led_to_it():
    teacher = env_lib.policy("triage", "memory_aware")
    found = []
    for seed in range(6):
        for scenario in ("E1", "E3", "E4"):
            env = env_lib.make("triage", scenario=scenario, split="train", steps=12)
            found += list(lessons(env, teacher, seed))
    waits = [lesson for lesson in found if lesson[-1]["action_type"] == "wait"]
    assert waits
    for lesson in waits:
        assert [row["action_type"] for row in lesson[:-1]] == ["query_history"] * (len(lesson) - 1)
        assert len(lesson) > 1
        assert "author mixed" in lesson[-1]["prompt"]


def test_corrections_are_moves_of_the_oracle_that_earn_where_the_teacher_does_otherwise():
    env = env_lib.make("triage", scenario="E1", split="train", steps=12)
    teacher = env_lib.policy("triage", "memory_aware")
    found = {row["prompt"]: row for (row,) in corrections(env, teacher, 5)}
    assert found
    obs = env.reset(seed=5)
    while not obs.done:
        if obs.prompt in found:
            text = found.pop(obs.prompt)["completion"]
            assert text == env.oracle_action().text() != teacher(obs).text()
            paid = env.branch().step(env.parse(text))
            assert paid.reward > paid.metadata["reward_components"]["terminal"]
        obs = env.step(teacher(obs))
    assert not found


def test_the_oracles_share_of_the_traces_stands_among_whole_prompts(tmp_path):
    size = replace(profile("smoke"), sft_examples=120, sft_short=0.4)
    run = Run("triage", size, 3, tmp_path)
    counts = collect(run)
    share = duty_module("triage", "policies").ORACLE_SHARE
    assert counts["teacher"] == {"memory_aware": 120 - int(120 * share), "oracle": int(120 * share)}
    assert all(row["teacher"] == "memory_aware" for row in traces(run)[: int(0.4 * 120)])


def test_after_a_stray_step_the_traces_show_what_the_teacher_does_next(monkeypatch):
    env = env_lib.make("repair", scenario="R1", split="train", prompt_tokens=1)
    teacher = env_lib.policy("repair", "mender")
    monkeypatch.setattr("env_lib.envs.repair.policies.STRAY_SHARE", 0.5)
    found = [lesson for seed in range(12) for lesson in lessons(env, teacher, seed)]
    taken_back = [lesson for lesson in found if lesson[0]["action_type"] == "undo"]
    assert any(lesson[-1]["action_type"] == "apply" for lesson in taken_back)
    for lesson in taken_back:
        assert "last edit gained" in lesson[0]["prompt"].splitlines()[-1]


def test_the_last_line_of_repair_decides_about_undo():
    env = env_lib.make("repair", scenario="R2", split="train", prompt_tokens=1)
    teacher = env_lib.policy("repair", "mender")
    rows = [row for seed in range(12) for lesson in lessons(env, teacher, seed) for row in lesson]
    undone = {row["action_type"] == "undo" for row in rows if "gained nothing" in row["prompt"]}
    assert undone == {True}
    assert not any(row["action_type"] == "undo" for row in rows if "nothing" not in row["prompt"])


def test_no_step_of_a_stray_is_a_trace(monkeypatch):
    env = env_lib.make("repair", scenario="R1", split="train", prompt_tokens=1)
    monkeypatch.setattr("env_lib.envs.repair.policies.STRAY_SHARE", 1.0)
    assert not list(lessons(env, env_lib.policy("repair", "mender"), 0))


@pytest.mark.parametrize(
    "duty", [d for d in DUTIES if hasattr(duty_module(d, "policies"), "STRAY")]
)
def test_a_stray_submits_nothing(duty):
    rules = duty_module(duty, "policies")
    for scenario in list(duty_module(duty).SCENARIOS)[:2]:
        env, stray = env_lib.make(duty, scenario=scenario, split="val"), rules.STRAY()
        obs = env.reset(seed=1)
        stray.start(env, 1)
        while not obs.done:
            action = stray(obs)
            assert not action.action_type.startswith(("submit", "give_up"))
            obs = env.step(action)
