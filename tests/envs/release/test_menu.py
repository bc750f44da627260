"""What the last line of a prompt names: phases, what was done, and when it goes on."""

from __future__ import annotations

import pytest

import env_lib
from env_lib.core import InvalidAction
from env_lib.envs.release import policies
from env_lib.envs.release.action import ReleaseAction, act
from env_lib.envs.release.env import ReleaseEnv
from env_lib.envs.release.menu import TRIES, options


def started(tier="L2", seed=3, split="train"):
    env = ReleaseEnv(scenario=tier, split=split)
    return env, env.reset(seed=seed)


def until(env, obs, kind):
    """Play as the guided teacher until the menu names a type of action."""
    guide = policies.Guided()
    guide.start(env, 0)
    while not any(offer.startswith(kind) for offer in options(obs)):
        obs = env.step(guide(obs))
    return obs


def test_the_last_line_names_what_is_due():
    env, obs = started()
    assert obs.prompt.splitlines()[-1] == "next: view_log unit-tests; step 0/24"
    obs = env.step(act("view_log", job_name="unit-tests"))
    assert options(obs) == ("view_commit_history",)
    obs = env.step(act("view_commit_history"))
    suspects = [c for c, name, *_ in obs.history if name == env.world.provider]
    assert options(obs) == (f"view_diff {suspects[0]}",), "nothing was read that could be blamed"
    obs = env.step(act("view_diff", commit_id=suspects[0]))
    assert options(obs)[-1] == f"submit_causal_change {suspects[0]}"
    assert obs.prompt.splitlines()[-1] == f"next: {' or '.join(options(obs))}; step 3/24"


def test_who_has_read_all_is_to_blame_one_the_last_read_first():
    env, obs = started()
    obs = until(env, obs, "view_diff")
    suspects = [c for c, name, *_ in obs.history if name == env.world.provider]
    for commit in suspects:
        obs = env.step(act("view_diff", commit_id=commit))
    assert options(obs)[0] == f"submit_causal_change {suspects[-1]}"
    assert sorted(options(obs)) == sorted(f"submit_causal_change {c}" for c in suspects)


def test_a_look_that_was_made_is_not_named_again():
    for tier in ("L1", "L3"):
        for seed in range(4):
            env, obs = started(tier, seed)
            guide = policies.Guided()
            guide.start(env, seed)
            made = set()
            while not obs.done:
                named = {o for o in options(obs) if o.startswith(("view_", "run_"))}
                assert not named & made
                action = guide(obs)
                words = [getattr(action, name) for name in ReleaseAction.needs[action.action_type]]
                made.add(" ".join([action.action_type, *map(str, words)]))
                obs = env.step(action)


@pytest.mark.parametrize("split", ["train", "test_ood"])
def test_every_offer_that_has_its_name_can_be_carried_out(split):
    for tier in ("L1", "L2", "L3"):
        env, obs = started(tier, 1, split)
        guide = policies.Guided()
        guide.start(env, 1)
        while not obs.done:
            for offer in options(obs):
                kind, *names = offer.split()
                if len(ReleaseAction.needs[kind]) == len(names):
                    assert not env.branch().step(policies.taken(offer)).error
            obs = env.step(guide(obs))


def test_edits_that_fail_lead_to_other_diffs_and_then_on_without_a_repair():
    env, obs = started()
    obs = until(env, obs, "replace")
    assert options(obs) == (f"replace {env.world.provider}/api.py",)
    wrong = act("replace", file_path=env.world.path, search="not there", replace="x")
    obs = env.step(wrong)
    assert any(offer.startswith("view_diff") for offer in options(obs)[1:])
    for _ in range(TRIES - 1):
        obs = env.step(InvalidAction(raw="?", error="no JSON"))
    assert options(obs) == (f"view_dependency_graph {env.world.provider}",)
    guide = policies.Guided()
    guide.start(env, 3)
    while not obs.done:
        obs = env.step(guide(obs))
    assert env.notes.decision == "block"
    assert obs.metadata["held_out"]["repaired"] == 0.0


def test_an_edit_is_tested_before_anything_else():
    env, obs = started()
    obs = until(env, obs, "replace")
    file = env.tree[env.world.path]
    line = next(row for row in file.splitlines() if file.count(row) == 1 and row.strip())
    obs = env.step(act("replace", file_path=env.world.path, search=line, replace=f"{line}  # x"))
    assert options(obs) == (f"run_unit_tests {env.world.provider}",)


def test_contracts_are_run_of_whom_was_submitted_be_it_right_or_wrong():
    env, obs = started()
    obs = until(env, obs, "submit_blast_radius")
    names = [name for name in env.world.services if name not in env.world.impacted][:2]
    obs = env.step(act("submit_blast_radius", impacted_services=", ".join(names)))
    for name in names:
        assert options(obs) == (f"run_contract_tests {name}",)
        obs = env.step(act("run_contract_tests", service=name))
    assert options(obs) == ("view_ownership_map",)
    obs = env.step(act("view_ownership_map"))
    assert options(obs) == ("submit_release_decision",)


def test_the_guided_teacher_takes_nothing_that_the_menu_does_not_name():
    for seed in range(6):
        env, obs = started("L3", seed)
        guide = env_lib.policy("release", "guided")
        guide.start(env, seed)
        while not obs.done:
            action = guide(obs)
            assert action.action_type in {offer.split()[0] for offer in options(obs)}
            obs = env.step(action)
        assert obs.metadata["held_out"]["decision_right"] == 1.0
