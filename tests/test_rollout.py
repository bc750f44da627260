"""Episodes: records, replays, many at once, and lockstep for policies that answer in text."""

import json

import pytest

import env_lib
from env_lib.core import StopReason
from env_lib.rollout import Answer, Episode, TextPolicy, replay_episode, run_lockstep, run_many


def episode(policy="random", scenario="E1", seed=0, **options):
    env = env_lib.make("triage", scenario=scenario, split="test", **options)
    return env_lib.run_episode(env, env_lib.policy("triage", policy), seed)


class Scripted(TextPolicy):
    """Answers by rule, every fifth answer being no action."""

    name = "scripted"

    def __init__(self):
        self.batches = []
        self.count = 0

    def answer(self, system_prompt, prompts):
        self.batches.append(len(prompts))
        answers = []
        for prompt in prompts:
            self.count += 1
            number = prompt.split(" (")[0].split()[-1]
            good = json.dumps({"action_type": "wait", "target_issue_id": int(number)})
            answers.append(Answer("hm" if self.count % 5 == 0 else good, confidence=0.5))
        return answers


def test_an_episode_sums_its_steps_and_knows_why_it_ended():
    done = episode("oracle")
    assert done.total_reward == sum(step.reward for step in done.steps)
    assert sum(done.components.values()) == pytest.approx(done.total_reward)
    assert done.stop_reason is StopReason.COMPLETED
    assert done.metrics["queue_completion"] == 1.0
    assert episode("random", steps=12).stop_reason in (StopReason.BUDGET, StopReason.COMPLETED)


def test_the_hash_covers_prompts_actions_and_rewards():
    first, second = episode(seed=0), episode(seed=0)
    assert first.trajectory_hash == second.trajectory_hash
    del second.steps[-1]
    assert first.trajectory_hash != second.trajectory_hash


def test_a_record_survives_json_and_says_the_same():
    done = episode("memory_aware", steps=20)
    again = Episode.from_record(json.loads(json.dumps(done.record())))
    assert again == done
    assert again.trajectory_hash == done.trajectory_hash


def test_many_episodes_come_in_the_order_of_their_seeds_in_any_number_of_processes():
    one = run_many("triage", "random", scenario="E0", split="test", seeds=[3, 1])
    two = run_many("triage", "random", scenario="E0", split="test", seeds=[3, 1], n_jobs=2)
    assert [e.seed for e in one] == [3, 1]
    assert [e.trajectory_hash for e in one] == [e.trajectory_hash for e in two]


def test_lockstep_asks_once_a_step_for_all_that_still_run():
    envs = [env_lib.make("triage", scenario="E0", split="test", steps=steps) for steps in (6, 12)]
    policy = Scripted()
    done = run_lockstep(envs, policy, [0, 1])
    assert [len(e.steps) for e in done] == sorted(len(e.steps) for e in done)
    assert policy.batches.count(2) == len(done[0].steps)
    assert sum(policy.batches) == sum(len(e.steps) for e in done)
    assert {step.action["action_type"] for e in done for step in e.steps} == {"wait", "invalid"}
    assert all(step.text and step.confidence == 0.5 for e in done for step in e.steps)


def test_a_stored_episode_replays_to_the_same_hash_invalid_answers_included():
    envs = [env_lib.make("triage", scenario="E2", split="test", steps=15)]
    done = run_lockstep(envs, Scripted(), [4])[0]
    stored = Episode.from_record(json.loads(json.dumps(done.record())))
    again = replay_episode(stored)
    assert again.trajectory_hash == done.trajectory_hash
    assert again.metrics == done.metrics
    assert again == done
