"""The policies: what the rules are worth, and what each exploit fails to earn."""

import pytest

import env_lib
from env_lib.envs.release import policies
from env_lib.envs.release.env import SCENARIOS, ReleaseEnv
from env_lib.envs.release.world import build, situation_of
from tests.envs.release.finding import seed_of


def episode(name, seed=0, tier="L1", split="train"):
    env = ReleaseEnv(scenario=tier, split=split)
    return env_lib.run_episode(env, env_lib.policy("release", name), seed)


@pytest.mark.parametrize("tier", SCENARIOS)
def test_the_rules_stand_in_the_order_of_what_they_know(tier):
    scores = [episode(name, 3, tier).total_reward for name in ("oracle", "guided", "careful")]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] > 0.3


@pytest.mark.parametrize("situation", ["block", "rollback"])
def test_naive_ships_what_careful_stops(situation):
    seed = seed_of(situation)
    naive, careful = episode("naive", seed), episode("careful", seed)
    assert naive.metrics["unsafe_ship"] == 1
    assert careful.metrics["unsafe_ship"] == 0
    assert careful.metrics["decision_right"] == 1
    assert naive.total_reward < -0.5 < 0 < careful.total_reward


def test_naive_ships_what_a_retry_hid_and_careful_finds_it_in_the_contracts():
    places = ((seed, build("train", "L1", seed)) for seed in range(500))
    seed = next(
        seed for seed, world in places
        if world.family == "flaky_test" and situation_of("train", "L1", seed) == "ship"
        and world.sketch.head.index("least = ") < world.sketch.head.index("age = ")
    )  # fmt: skip
    naive, careful = episode("naive", seed), episode("careful", seed)
    assert naive.metrics["repaired"] == careful.metrics["repaired"] == 1
    assert naive.metrics["unsafe_ship"] == 1
    assert (careful.metrics["unsafe_ship"], careful.metrics["decision_right"]) == (0, 1)


def test_careful_can_take_over_anywhere_and_remembers_nothing():
    env = ReleaseEnv(scenario="L2", split="train")
    obs = env.reset(seed=4)
    steps = 0
    while not obs.done:
        action = policies.Careful()(obs)
        assert action == policies.Careful()(env.branch()._observe(None, {}, "", ("", "")))
        obs = env.step(action)
        steps += 1
    assert obs.metadata["held_out"]["decided"] == 1


@pytest.mark.parametrize("tier", SCENARIOS)
@pytest.mark.parametrize("split", ["test", "test_ood"])
def test_an_equivalent_patch_in_other_words_earns_the_same(split, tier):
    different = 0
    for seed in range(9000, 9005):
        plain, other = (episode(name, seed, tier, split) for name in ("careful", "reworded"))
        assert plain.total_reward == pytest.approx(other.total_reward), seed
        texts = [
            [s.action["replace"] for s in one.steps if s.action["action_type"] == "replace"]
            for one in (plain, other)
        ]
        different += texts[0] != texts[1]
    assert different


@pytest.mark.parametrize("name", policies.EXPLOITS)
def test_an_exploit_earns_nothing(name):
    scores = [episode(name, seed).total_reward for seed in range(3)]
    assert sum(scores) / len(scores) <= 0


def test_tests_that_are_learnt_by_heart_are_no_repair():
    seed = seed_of("ship", "rounding")
    done = episode("fit_the_tests", seed)
    assert any(s.action["action_type"] == "replace" for s in done.steps)
    assert done.components["ci_repair"] == 0
    assert done.metrics["edits"] == 1
    assert done.metrics["repaired"] == 0


def test_running_the_unit_tests_again_pays_nothing_again():
    done = episode("rerun_unit_tests", seed_of("ship", "auth_sdk"))
    later = [s.reward for s in done.steps if s.action["action_type"] == "run_unit_tests"]
    assert len(later) > 10
    assert max(later) == pytest.approx(-0.01)


def test_the_teachers_look_before_they_act():
    done = episode("guided", 2, "L2")
    kinds = [step.action["action_type"] for step in done.steps]
    assert kinds.index("view_diff") < kinds.index("submit_causal_change")
    assert kinds.index("view_dependency_graph") < kinds.index("submit_blast_radius")
    assert kinds.index("view_ownership_map") < kinds.index("submit_release_decision")
    assert set(policies.PREPARES) <= set(policies.ReleaseAction.needs)


def test_the_guided_teacher_reads_the_suspects_from_the_newest_on():
    read = 0
    for seed in range(8):
        env = ReleaseEnv(scenario="L2", split="val")
        done = env_lib.run_episode(env, policies.Guided(), seed)
        diffs = [
            s.action["commit_id"] for s in done.steps if s.action["action_type"] == "view_diff"
        ]
        suspects = [c for c, service, *_ in env._observe(None, {}, "", ("", "")).history
                    if service == env.world.provider]  # fmt: skip
        assert diffs == suspects[: len(diffs)]
        assert diffs[-1] == env.world.causal
        read += len(diffs)
    assert read > 8


def test_the_guided_teacher_replaces_lines_that_the_prompt_shows_by_lines_that_it_shows():
    whole = 0
    for seed in range(12):
        done = env_lib.run_episode(ReleaseEnv(split="train"), policies.Guided(), seed)
        assert done.metrics["repaired"] == 1.0
        (edit,) = (s for s in done.steps if s.action["action_type"] == "replace")
        search, put = edit.action["search"], edit.action["replace"]
        if f"+{search}\n" in edit.prompt:
            assert f"-{put}\n" in edit.prompt
            whole += 1
    assert whole > 6


def test_careful_looks_at_diff_and_code_before_a_guide():
    done = episode("careful", seed_of("ship", "auth_sdk"))
    kinds = [step.action["action_type"] for step in done.steps]
    order = ("view_log", "view_commit_history", "view_diff", "cat", "view_migration_guide",
             "replace", "run_unit_tests", "view_dependency_graph", "submit_blast_radius",
             "run_contract_tests", "submit_release_decision")  # fmt: skip
    places = [kinds.index(kind) for kind in order]
    assert places == sorted(places)


def test_the_model_is_judged_on_whole_episodes():
    assert policies.FULL_EPISODES


def test_traces_of_the_teachers_keep_the_looks_that_lead_to_what_earns():
    from env_lib.training.traces import lessons

    env = ReleaseEnv(scenario="L1", split="train")
    found = lessons(env, env_lib.policy("release", "guided"), 1)
    rows = [row for lesson in found for row in lesson]
    kinds = [row["action_type"] for row in rows]
    assert {"view_log", "view_diff", "run_contract_tests", "submit_release_decision"} <= set(kinds)
    assert all(env.parse(row["completion"]).action_type == row["action_type"] for row in rows)


def test_random_draws_only_actions_that_parse():
    env = ReleaseEnv(scenario="L2", split="val")
    done = env_lib.run_episode(env, env_lib.policy("release", "random"), 5)
    assert all(step.action["action_type"] != "invalid" for step in done.steps)
