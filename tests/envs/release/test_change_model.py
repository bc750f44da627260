"""The classic control: features that anybody may see, numbers that can be fitted again."""

import json

import pytest

import env_lib
from env_lib.envs.release import change_model
from env_lib.envs.release.env import ReleaseEnv
from env_lib.envs.release.policies import COMPARED, DECISIONS, EXPLOITS
from tests.envs.release.finding import seed_of


def played(seed, tier="L1", split="val"):
    env = ReleaseEnv(scenario=tier, split=split)
    return env_lib.run_episode(env, env_lib.policy("release", "logistic_regression"), seed)


def test_the_stored_numbers_are_of_these_features_and_of_the_generator_as_it_is():
    told = change_model.stored()
    assert told["features"] == list(change_model.FEATURES)
    assert set(told["decisions"]) == set(DECISIONS)
    assert {len(line) for line in told["weights"]} == {len(change_model.FEATURES)}
    assert len(told["weights"]) == len(told["intercepts"]) == len(DECISIONS)
    assert told["episodes"] == change_model.worlds_hash(change_model.SEEDS), change_model.COMMAND


def test_a_fit_is_the_same_again_and_is_of_the_train_split():
    first, again = (change_model.fitted(range(5)) for _ in range(2))
    assert first == again
    assert json.loads(json.dumps(first)) == first
    assert first["split"] == "train"
    assert first["examples"] <= 15


def test_numbers_of_other_features_are_refused_with_the_command(monkeypatch):
    monkeypatch.setattr(change_model, "FEATURES", ("size",))
    change_model.stored.cache_clear()
    with pytest.raises(ValueError, match="change_model fits them anew"):
        change_model.stored()
    change_model.stored.cache_clear()


def test_features_follow_from_the_observation_and_lie_near_zero_to_one():
    env = ReleaseEnv(scenario="L2", split="val")
    obs, rule = env.reset(seed=1), env_lib.policy("release", "logistic_regression")
    while not obs.owners:
        obs = env.step(rule(obs))
    row = change_model.features(obs)
    assert len(row) == len(change_model.FEATURES)
    assert all(0 <= value <= 3 for value in row)
    seen = obs.model_copy(update={"metadata": {}, "reward": None, "prompt": ""})
    assert change_model.features(seen) == row, "nothing but what was seen"
    marked = dict(zip(change_model.FEATURES, row, strict=True))
    assert marked["protected"] == (env.world.provider in env.world.protected)
    assert marked["hot"] == (env.world.provider in env.world.hot)


def test_it_repairs_submits_a_cause_and_runs_no_contract():
    done = played(seed_of("ship", split="val"))
    kinds = [step.action["action_type"] for step in done.steps]
    assert done.metrics["repaired"] == 1
    assert "run_contract_tests" not in kinds
    assert "view_dependency_graph" not in kinds
    assert kinds[-3:] == ["submit_causal_change", "view_ownership_map", "submit_release_decision"]


def test_it_decides_better_than_a_constant_and_worse_than_who_runs_the_contracts():
    seeds = range(20)
    own = [played(seed).metrics["decision_right"] for seed in seeds]
    env = ReleaseEnv(split="val")
    careful = [
        env_lib.run_episode(env, env_lib.policy("release", "careful"), seed).metrics
        for seed in seeds
    ]
    assert 0.2 < sum(own) / len(own) < sum(m["decision_right"] for m in careful) / len(own)


def test_it_is_compared_with_and_is_no_exploit():
    assert "logistic_regression" in COMPARED
    assert "logistic_regression" not in EXPLOITS
