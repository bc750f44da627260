"""What TRL's trainer is told of sampled answers."""

import dataclasses

import pytest

import env_lib
from env_lib.profiles import PROFILES
from env_lib.runs import Run
from env_lib.training.rewards import TRUNCATED, BranchRewards, flat_share

MALFORMED = "close it"


def test_a_group_is_flat_where_all_its_answers_earned_the_same():
    assert flat_share([0, 0, 1, 1], [0.5, 0.5, 1.0, -1.0]) == 0.5
    assert flat_share([0, 1, 0, 1], [0.5, 1.0, 0.5, 1.0]) == 1.0
    assert flat_share([7, 7, 7], [0.1 + 0.2, 0.3, 0.31]) == 0.0


@pytest.fixture
def states():
    """Two states, of different tiers, as a round collects them."""
    found = []
    for tier, seed in (("E0", 1), ("E3", 2)):
        env = env_lib.make("triage", scenario=tier)
        found.append((env, env.reset(seed=seed).prompt))
    return found


@pytest.fixture
def sampled(states, tokenizer):
    """Two answers a state, as TRL passes them: the best one, and one that is no action.

    The last is cut off before its end.
    """
    texts = [states[0][0].oracle_action().text(), MALFORMED] * 2
    texts[2] = states[1][0].oracle_action().text()
    ids = [[*tokenizer.encode(text), tokenizer.eos_token_id] for text in texts]
    ids[3] = ids[3][:-1]
    return {"prompts": None, "completions": None, "completion_ids": ids, "state_id": [0, 0, 1, 1]}


def rewards_of(states, tokenizer, folder, key="round 1", **settings):
    size = dataclasses.replace(PROFILES["smoke"], look_ahead=2, gamma=0.5, **settings)
    return BranchRewards(Run("triage", size, 0, folder), states, tokenizer, key)


def by_hand(env, text):
    """What a branch pays for the step, and for two more of the cheap policy, discounted."""
    twin = env.branch()
    obs = twin.step(twin.parse(text))
    guide = env_lib.policy("triage", "memory_aware")
    one = twin.step(guide(obs))
    two = twin.step(guide(one))
    return obs.reward, 0.5 * one.reward + 0.25 * two.reward


def test_an_answer_earns_its_step_and_the_next_ones_in_a_branch_of_its_state(
    states, sampled, tokenizer, tmp_path
):
    rewards = rewards_of(states, tokenizer, tmp_path)
    before = [env.state.model_dump() for env, _ in states]
    step = rewards.step_reward(**sampled)
    later = rewards.look_ahead(**sampled)
    (first, after_first), (second, after_second) = (
        by_hand(env, env.oracle_action().text()) for env, _ in states
    )
    assert step == [first, pytest.approx(-0.52), second, pytest.approx(-0.52)]
    assert first >= 0.98
    put_off = [0.5 * (first + after_first), 0.5 * (second + after_second)]
    assert later == pytest.approx([after_first, put_off[0], after_second, put_off[1]])
    assert after_first != after_second
    assert [env.state.model_dump() for env, _ in states] == before


def test_an_answer_that_does_not_end_is_charged_for_it_whatever_it_says(
    states, sampled, tokenizer, tmp_path
):
    rewards = rewards_of(states, tokenizer, tmp_path)
    rewards.step_reward(**sampled)
    assert rewards.termination(**sampled) == [0.0, 0.0, 0.0, TRUNCATED]
    whole, cut = (sampled["completion_ids"][2], sampled["completion_ids"][2][:-1])
    assert rewards.termination(None, None, [whole, cut]) == [0.0, TRUNCATED]


def test_the_log_tells_the_shares_and_the_means_of_the_batch(states, sampled, tokenizer, tmp_path):
    rewards = rewards_of(states, tokenizer, tmp_path)
    rewards.step_reward(**sampled)
    (row,) = rewards.log
    assert row["valid_share"] == 0.5
    assert row["reward/invalid_action"] == -0.25
    assert row["reward/workflow_efficiency"] == pytest.approx(-0.02)
    assert row["reward/look_ahead"] == pytest.approx(sum(rewards.look_ahead(None, None)) / 4)
    assert row["zero_variance_share"] == 0.0


def test_answers_that_differ_in_their_end_alone_are_no_flat_group(states, tokenizer, tmp_path):
    rewards = rewards_of(states, tokenizer, tmp_path)
    ends = [tokenizer.eos_token_id]
    ids = [tokenizer.encode(MALFORMED) + end for end in (ends, [], ends, ends)]
    rewards.step_reward(None, None, ids, state_id=[0, 0, 1, 1])
    assert rewards.log[0]["zero_variance_share"] == 0.5


def test_the_random_control_pays_a_coin_that_no_answer_can_move(
    states, sampled, tokenizer, tmp_path
):
    def coins(key, count=8):
        rewards = rewards_of(states, tokenizer, tmp_path, key, grpo_reward="random")
        drawn = [coin for _ in range(count) for coin in rewards.step_reward(**sampled)]
        assert rewards.look_ahead(**sampled) == [0.0] * 4
        assert rewards.termination(**sampled)[-1] == TRUNCATED
        assert rewards.log[0]["valid_share"] == 0.5, "what was answered is logged all the same"
        return drawn

    drawn = coins("round 1")
    assert set(drawn) == {0.0, 1.0}
    assert len({tuple(drawn[i : i + 4]) for i in range(0, 32, 4)}) > 1, "drawn anew each batch"
    assert coins("round 1") == drawn
    assert coins("round 2") != drawn
    sampled["completion_ids"] = sampled["completion_ids"][::-1]
    rewards = rewards_of(states, tokenizer, tmp_path, "round 1", grpo_reward="random")
    assert rewards.step_reward(**sampled) == drawn[:4], "the answers play no part"
