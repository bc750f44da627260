"""The gate picks G from the success rates and refuses with a reason."""

import pytest

from env_lib.profiles import PROFILES
from env_lib.runs import Run
from env_lib.training.preflight import choose_group, judge, zero_variance_share

GOOD = {
    "truncated_share": 0.0,
    "valid_share": 1.0,
    "success_rate": 0.5,
    "states": 30,
    "success_by_state": [0.5] * 30,
    "rewards_by_state": [[0.0, 1.0], [1.4, -0.5]],
    "visits": [],
}


@pytest.fixture
def run(tmp_path):
    return Run("triage", PROFILES["cpu"], 0, tmp_path)


def test_the_share_of_flat_groups_is_the_binomial_one():
    assert zero_variance_share([[1.0, 1.0, 0.0, 0.0]], 4) == pytest.approx(2 * 0.5**4)
    assert zero_variance_share([[0.0] * 8, [1.0] * 8], 8) == 1.0
    assert zero_variance_share([[-4.5, -0.5, 0.0, 1.4]], 2) == pytest.approx(0.25)


def test_rare_success_asks_for_a_larger_group():
    assert choose_group([[0.0, 1.0]], 8) == 8
    assert choose_group([[0.0] * 19 + [1.0]], 8) == 16


def test_a_larger_group_takes_fewer_states_for_the_same_cost():
    from env_lib.training.grpo import prompts_a_step

    assert prompts_a_step(PROFILES["cpu"], 8) == PROFILES["cpu"].grpo_prompts
    assert prompts_a_step(PROFILES["cpu"], 16) * 16 == PROFILES["cpu"].grpo_prompts * 8


def test_a_healthy_model_passes(run):
    verdict = judge(run, GOOD)
    assert verdict["ok"]
    assert verdict["G"] == 8


@pytest.mark.parametrize(
    ("name", "value"), [("truncated_share", 0.2), ("valid_share", 0.5), ("success_rate", 0.0)]
)
def test_a_value_out_of_range_is_refused_by_name(run, name, value):
    verdict = judge(run, {**GOOD, name: value})
    assert not verdict["ok"]
    assert any(
        reason.startswith(name) and f"{value:.3f}" in reason for reason in verdict["reasons"]
    )


def test_few_answers_do_not_show_that_a_limit_is_missed(run):
    narrow = {"success_rate": 0.0, "valid_share": 36 / 48}
    assert judge(run, {**GOOD, **narrow, "states": 6})["ok"]
    assert not judge(run, {**GOOD, **narrow, "states": 60})["ok"]
    assert not judge(run, {**GOOD, "truncated_share": 3 / 48, "states": 6})["ok"]


def test_a_refused_action_is_valid_and_not_carried_out():
    import env_lib
    from env_lib.training.states import score_answers

    env = env_lib.make("repair", scenario="R1", split="train")
    env.reset(seed=0)
    texts = ['{"action_type": "apply", "offer": 99}', "no action", '{"action_type": "run_tests"}']
    scores = score_answers([(env, text) for text in texts], look_ahead=0, gamma=1.0)
    assert [(s.valid, s.carried_out) for s in scores] == [
        (True, False), (False, False), (True, True)
    ]  # fmt: skip


def test_every_duty_has_a_step_that_succeeds():
    import env_lib
    from env_lib.registry import DUTIES, duty_module
    from env_lib.training.preflight import SUCCESS

    for duty in DUTIES:
        rules = duty_module(duty, "policies")
        scenario = next(iter(duty_module(duty).SCENARIOS))
        env = env_lib.make(duty, scenario=scenario, split="train")
        done = env_lib.run_episode(env, env_lib.policy(duty, "oracle"), seed=0)
        paid = [step.reward for step in done.steps]
        assert max(paid) >= getattr(rules, "SUCCESS", SUCCESS), duty


def test_training_does_not_start_behind_a_closed_gate(run):
    from env_lib.runs import write_json
    from env_lib.training.grpo import GateError, train

    adapter = run.path("sft", "adapter")
    adapter.mkdir(parents=True)
    closed = judge(run, {**GOOD, "valid_share": 0.1})
    inputs = run.inputs("grpo", [adapter])
    write_json(run.path("grpo", "preflight.json"), {**closed, "inputs": inputs})
    with pytest.raises(GateError, match=r"valid_share is 0\.100"):
        train(run)


def test_a_gate_that_measured_another_warm_start_opens_nothing(run):
    from env_lib.runs import write_json
    from env_lib.training.grpo import GateError, train

    run.path("sft", "adapter").mkdir(parents=True)
    stale = {**judge(run, GOOD), "inputs": {"sft/adapter": "another"}}
    write_json(run.path("grpo", "preflight.json"), stale)
    with pytest.raises(GateError, match="another warm start"):
        train(run)
