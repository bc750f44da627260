"""The promises of every registered environment; a new duty is tested by being registered."""

import json
import random
import string
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import env_lib
from env_lib.audit import audit
from env_lib.core import InvalidAction, StopReason
from env_lib.registry import DUTIES, duty_module
from env_lib.rubric import WeightedSum

TIERS = [(duty, tier) for duty in DUTIES for tier in duty_module(duty).SCENARIOS]
each_tier = pytest.mark.parametrize(("duty", "tier"), TIERS, ids=["-".join(pair) for pair in TIERS])
each_duty = pytest.mark.parametrize("duty", DUTIES)
slow_for_drift = pytest.mark.parametrize(
    "duty", [pytest.param(d, marks=pytest.mark.slow if d == "drift" else ()) for d in DUTIES]
)


def played(duty, tier, policy="random", seed=0, split="test"):
    env = env_lib.make(duty, scenario=tier, split=split)
    return env_lib.run_episode(env, env_lib.policy(duty, policy), seed)


@each_tier
def test_the_same_seed_gives_the_same_trajectory_whatever_was_played_before(duty, tier):
    first = played(duty, tier, seed=3)
    random.seed(99)
    state = random.getstate()
    env = env_lib.make(duty, scenario=tier, split="test")
    env_lib.run_episode(env, env_lib.policy(duty, "oracle"), 4)
    again = env_lib.run_episode(env, env_lib.policy(duty, "random"), 3)
    assert first.trajectory_hash == again.trajectory_hash
    assert random.getstate() == state, "the global generator was touched"


@each_duty
def test_what_other_policies_did_on_the_same_seed_changes_nothing(duty):
    tier, module = list(duty_module(duty).SCENARIOS)[-1], duty_module(duty, "policies")
    for name in ("oracle", *module.EXPLOITS[:2]):  # nothing of this seed was played here before
        played(duty, tier, name, seed=19)
    script = (
        "import sys, env_lib\n"
        "env = env_lib.make(sys.argv[1], scenario=sys.argv[2], split='test')\n"
        "policy = env_lib.policy(sys.argv[1], 'random')\n"
        "print(env_lib.run_episode(env, policy, 19).trajectory_hash)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, duty, tier], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == played(duty, tier, seed=19).trajectory_hash


@each_tier
def test_other_seeds_and_splits_give_other_trajectories(duty, tier):
    seeds = {played(duty, tier, seed=seed).trajectory_hash for seed in range(3)}
    splits = {played(duty, tier, split=split).trajectory_hash for split in duty_module(duty).SPLITS}
    assert len(seeds) == 3
    assert len(splits) == len(duty_module(duty).SPLITS)


@slow_for_drift
def test_another_process_plays_the_same_trajectories(duty):
    tiers = list(duty_module(duty).SCENARIOS)[:4]
    script = (
        "import sys, env_lib\n"
        "for tier in sys.argv[2:]:\n"
        "    env = env_lib.make(sys.argv[1], scenario=tier, split='test')\n"
        "    policy = env_lib.policy(sys.argv[1], 'random')\n"
        "    print(env_lib.run_episode(env, policy, 0).trajectory_hash)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, duty, *tiers], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [played(duty, tier).trajectory_hash for tier in tiers]


@each_tier
def test_a_branch_goes_the_same_way_and_leaves_the_episode_alone(duty, tier):
    env, alone = (env_lib.make(duty, scenario=tier, split="test") for _ in range(2))
    policy = env_lib.policy(duty, "random")
    obs = env.reset(seed=1)
    alone.reset(seed=1)
    policy.start(env, 1)
    while not obs.done:
        action, twin, stray = policy(obs), env.branch(), env.branch()
        wrong = stray.step(InvalidAction(raw="", error="nonsense"))
        assert stray.state.step_count == env.state.step_count + 1
        assert wrong.done or stray.step(stray.oracle_action()).reward is not None
        obs = env.step(action)
        assert obs == twin.step(action) == alone.step(action)
        assert env.state == twin.state == alone.state


@each_tier
def test_a_branch_taken_half_way_can_be_played_to_the_same_end(duty, tier):
    env = env_lib.make(duty, scenario=tier, split="test")
    obs = env.reset(seed=2)
    for _ in range(env.state.budget // 2 if hasattr(env.state, "budget") else 5):
        obs = obs if obs.done else env.step(env.oracle_action())
    ends = []
    for walker in (env.branch(), env.branch(), env):
        rewards, seen = [], obs
        while not seen.done:
            seen = walker.step(walker.oracle_action())
            rewards.append(seen.reward)
        ends.append((rewards, seen.metadata))
    assert ends[0] == ends[1] == ends[2]


@each_tier
def test_components_add_up_exactly_and_carry_the_rubrics_names(duty, tier):
    env = env_lib.make(duty, scenario=tier, split="test")
    names = [name for name, value in vars(env).items() if isinstance(value, WeightedSum)]
    rubric = getattr(env, names[0])
    for name in ("random", "oracle"):
        for step in env_lib.run_episode(env, env_lib.policy(duty, name), 0).steps:
            assert sum(step.components.values()) == step.reward
            assert list(step.components) == list(rubric.children)


@each_tier
def test_the_state_is_json_and_counts_steps(duty, tier):
    env = env_lib.make(duty, scenario=tier, split="test")
    assert json.loads(env.state.model_dump_json())["step_count"] == 0
    obs = env.reset(seed=5, episode_id="mine")
    while not obs.done:
        told = json.loads(env.state.model_dump_json())
        assert (told["episode_id"], told["scenario"], told["stop_reason"]) == (
            "mine",
            tier,
            "running",
        )
        obs = env.step(env.oracle_action())
        assert env.state.step_count == told["step_count"] + 1
    assert env.state.stop_reason in (StopReason.COMPLETED, StopReason.BUDGET)


@each_duty
def test_a_step_before_reset_or_after_the_end_says_what_to_call(duty):
    env = env_lib.make(duty, split="test")
    with pytest.raises(RuntimeError, match="reset"):
        env.step(InvalidAction(raw="", error="x"))
    obs = env.reset(seed=0)
    while not obs.done:
        obs = env.step(env.oracle_action())
    with pytest.raises(RuntimeError, match="over"):
        env.step(InvalidAction(raw="", error="x"))


@each_duty
def test_unknown_names_list_the_known_ones(duty):
    with pytest.raises(KeyError, match=duty):
        env_lib.make("no such duty")
    with pytest.raises(ValueError, match="known: "):
        env_lib.make(duty, scenario="no such scenario")
    with pytest.raises(ValueError, match=r"known: .*train"):
        env_lib.make(duty, split="no such split")
    with pytest.raises(ValueError, match=r"known: .*oracle"):
        env_lib.policy(duty, "no such policy")


@each_duty
def test_every_duty_ships_random_exploits_honest_rules_and_an_oracle(duty):
    module, known = duty_module(duty, "policies"), env_lib.policies(duty)
    assert {"random", "oracle", module.BASELINE, *module.EXPLOITS} <= set(known)
    assert set(module.NO_PROFIT) <= set(duty_module(duty).SCENARIOS)
    for name, kind in known.items():
        assert kind.name == name


# Any text -----------------------------------------------------------------------------------------

EXAMPLES, BATCH = 700, 29
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=4,
)
SHARDS = (
    '"',
    "{",
    "}",
    ",",
    ":",
    "\\",
    "\x00",
    "9" * 30,
    "null",
    "NaN",
    "1e400",
    "[" * 50,
    "\u2028",
    "true",
)


def mangled(text, seed):
    """A valid action's text after one to three random edits."""
    rng = random.Random(seed)
    for _ in range(rng.randint(1, 3)):
        at, other = rng.randrange(len(text) + 1), rng.randrange(len(text) + 1)
        new = rng.choice([*SHARDS, *string.printable])
        text = rng.choice(
            [
                text[:at] + new + text[at:],
                text[:at] + text[other:],
                text[:at],
                text + new,
                new + text,
            ]
        )
    return text


@slow_for_drift
def test_twenty_thousand_texts_never_raise_and_all_that_are_no_action_are_answered(duty):
    env = env_lib.make(duty, split="test")
    env.reset(seed=0)
    good = env.oracle_action().text()
    fields = json.loads(good)
    counts = {"refused": 0, "all": 0}

    @settings(max_examples=EXAMPLES, derandomize=True, deadline=None, database=None)
    @given(st.integers(0, 2**40), st.sampled_from([*fields, "extra"]), JSON, st.text(max_size=40))
    def play(seed, name, value, words):
        batch = [mangled(good, seed + i) for i in range(BATCH - 4)]
        batch += [json.dumps({**fields, name: value}), json.dumps(value), words, good + words]
        obs = env.reset(seed=0)
        for text in batch:
            obs = env.reset(seed=1) if obs.done else obs
            before, action = env.state.step_count, env.parse(text)
            obs = env.step(action)
            assert env.state.step_count == before + 1
            refused = isinstance(action, InvalidAction)
            counts["all"] += 1
            counts["refused"] += refused
            if refused:
                assert action.error.strip()
                assert obs.error == action.error
                assert obs.reward is not None
                assert obs.reward < 0 or obs.done
                assert obs.done or "error: " in obs.prompt

    play()
    assert counts["all"] >= 20_000
    assert counts["refused"] > 0.8 * counts["all"], counts


# The audit ----------------------------------------------------------------------------------------


@pytest.fixture(
    scope="module",
    params=[pytest.param(d, marks=() if d == "triage" else pytest.mark.slow) for d in DUTIES],
)
def report(request):
    return audit(request.param, seeds=range(4))


def test_every_promise_of_the_audit_holds(report):
    assert report.ok, [f"{p.name}: {p.detail}" for p in report.promises if not p.holds]


def test_the_audit_judges_every_exploit_on_every_scenario(report):
    judged = {(row["policy"], row["scenario"]) for row in report.table if row["exploit"]}
    module, tiers = duty_module(report.duty, "policies"), duty_module(report.duty).SCENARIOS
    cheats = {*module.EXPLOITS, *getattr(module, "audit_policies", dict)()}
    assert judged == {(name, tier) for name in cheats for tier in tiers}
    assert len(cheats) >= {"triage": 45}.get(report.duty, 8)


def test_the_report_can_be_read_by_people_and_programs(report):
    assert json.loads(json.dumps(report.record(), default=str))["ok"] is report.ok
    assert "BROKEN" not in report.text()
    exploits = duty_module(report.duty, "policies").EXPLOITS
    assert any(name in report.text() for name in exploits)
    assert all(name in report.text() for name in ("oracle", "leak check"))
