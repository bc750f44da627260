"""The environment: what each action does and shows, and what cannot be had twice."""

import asyncio
import dataclasses
import json
import re
import threading
from pathlib import Path

import pytest

import env_lib
from env_lib.core import InvalidAction, StopReason
from env_lib.envs.release import looks, policies, second_opinion
from env_lib.envs.release.action import ReleaseAction, act, decide
from env_lib.envs.release.env import LEAST_TOKENS, ReleaseEnv
from env_lib.envs.release.moves import Refused
from env_lib.envs.release.world import SITUATIONS, build, patched
from env_lib.language import count_tokens, parse_action
from env_lib.profiles import PROFILES
from env_lib.runs import Run
from tests.envs.release.finding import seed_of

CPU = Run("release", PROFILES["cpu"], 0, Path("unused"))
LONGEST_ACTION = CPU.action_tokens


def started(tier="L1", seed=0, split="train", **options):
    env = ReleaseEnv(scenario=tier, split=split, **options)
    return env, env.reset(seed=seed)


def played_to_decision(env):
    while env.oracle_action().action_type != "submit_release_decision":
        env.step(env.oracle_action())


def spelled(pin):
    """Ways to write a pin that differ in their text alone."""
    major, minor = pin.split(".")
    return (
        f"pin = '{pin}'",
        f'pin = "{major}" + ".{minor}"',
        f'pin = ".".join(("{major}", "{minor}"))',
        f'pin: str = "{pin}"',
    )


@pytest.mark.parametrize("way", range(4))
def test_an_unsafe_release_is_unsafe_however_its_pin_is_spelled(way):
    env, _ = started(seed=seed_of("ship", "advisory"))
    old, unsafe = env.world.sketch.hint
    search = next(row.strip() for row in env.world.tree[env.world.path].splitlines() if old in row)
    put = spelled(unsafe.split('"')[1])[way]
    env.step(act("replace", file_path=env.world.path, search=search, replace=put))
    tree = patched(env.world.tree, env.world.path, (search, put))
    assert second_opinion.opinion(env.world, tree)[:2] == (env.verdict()[0], frozenset())
    assert env.verdict()[0] in ("block", "rollback")
    shipped = env.step(decide("ship"))
    assert shipped.metadata["held_out"]["unsafe_ship"] == 1


def test_a_safe_release_is_safe_where_a_comment_names_the_old_pin():
    env, _ = started(seed=seed_of("ship", "advisory"))
    old, unsafe = env.world.sketch.hint
    safe = env.world.repaired()[env.world.path].split("pin = ")[1].splitlines()[0]
    put = f"pin = {safe}  # was {old}, must not be {unsafe}"
    env.step(act("replace", file_path=env.world.path, search=old, replace=put))
    tree = patched(env.world.tree, env.world.path, (old, put))
    assert env.verdict() == ("ship", ())
    assert second_opinion.opinion(env.world, tree)[:2] == ("ship", frozenset())


def test_a_path_that_is_not_there_is_answered_with_the_closest_ones():
    env, _ = started("L3")
    name = env.world.provider
    obs = env.step(act("cat", file_path=f"{name}.py"))
    assert f"closest: {name}/api.py" in obs.error
    assert f"{name}/api.py" in obs.prompt
    assert all(other in obs.error for other in env.world.services)
    obs = env.step(act("replace", file_path=f"src/{name}/api.py", search="a", replace="b"))
    assert f"files: {name}/api.py" in obs.error


def test_the_build_log_compiles_every_file(monkeypatch):
    env, _ = started()
    count = f"compiled {len(env.world.tree)} files"
    assert count in env.step(act("view_log", job_name="build")).logs["build"]
    broken = dataclasses.replace(env.world.history[-1], tree={"a/api.py": "x = 1\ndef (:\n"})
    made = dataclasses.replace(env.world, history=(broken,))
    assert looks.log_of(made, "build", {}).startswith("a/api.py:2: ")


def test_a_diff_shows_changed_tests():
    env, _ = started()
    shown = env.step(act("view_diff", commit_id=env.world.causal)).shown
    assert f"tests/{env.world.provider}.py" in shown
    assert f"+def test_{env.world.provider}_1():" in shown


UNKNOWN = {
    "view_log": ("job_name", "lint", "unit-tests, build, deploy"),
    "view_diff": ("commit_id", "zz", None),
    "cat": ("file_path", "setup.py", "/api.py"),
    "view_migration_guide": ("package", "nothing", "there is none here"),
    "view_security_advisory": ("package", "nothing", "there is none here"),
    "run_unit_tests": ("service", "nobody", None),
    "view_dependency_graph": ("service", "nobody", None),
    "mark_impacted_service": ("service", "nobody", None),
    "run_contract_tests": ("service", "nobody", None),
    "submit_causal_change": ("commit", "zz", None),
    "submit_blast_radius": ("impacted_services", "nobody", None),
}


@pytest.mark.parametrize("kind", UNKNOWN)
def test_an_unknown_name_is_an_error_that_lists_the_valid_ones(kind):
    field, value, listed = UNKNOWN[kind]
    env, _ = started(seed=seed_of("ship", "rounding"))
    names = env.world.services if field in ("service", "impacted_services") else ()
    names = [c.id for c in env.world.history] if "commit" in field else names
    obs = env.step(act(kind, **{field: value}))
    assert value in obs.error
    assert "error: " in obs.prompt
    assert all(name in obs.error for name in names)
    assert listed is None or listed in obs.error
    assert obs.reward == pytest.approx(-0.06)


@pytest.mark.parametrize(
    ("kind", "family", "part"),
    [
        ("view_migration_guide", "auth_sdk", "guide"),
        ("view_migration_guide", "payment_schema", "guide"),
        ("view_migration_guide", "db_migration", "guide"),
        ("view_security_advisory", "advisory", "advisory"),
    ],
)
def test_a_guide_or_advisory_shows_its_text_and_another_package_is_told_of_it(kind, family, part):
    seed = seed_of("ship", family)
    env, _ = started(seed=seed)
    package, text = getattr(env.world.sketch, part)
    refused = env.branch().step(act(kind, package="nothing"))
    assert "package 'nothing' is unknown" in refused.error
    assert f"valid: {package}" in refused.error
    other = {"guide": "view_security_advisory", "advisory": "view_migration_guide"}[part]
    assert "there is none here" in env.branch().step(act(other, package=package)).error
    obs = env.step(act(kind, package=package))
    assert {"guide": obs.guides, "advisory": obs.advisories}[part] == {package: text}
    assert obs.shown == f"{part} {package}: {text}"
    assert obs.shown in obs.prompt
    ((old, new),) = re.findall(r"`([^`]+)` becomes `([^`]+)`", text)
    env.step(act("replace", file_path=env.world.path, search=old, replace=new))
    assert env.verdict() == ("ship", ()), "what it says is a repair that may ship"


def test_a_mark_is_kept_as_a_note_and_a_second_one_is_refused():
    env, _ = started()
    first, second = env.world.services[:2]
    env.step(act("mark_impacted_service", service=first, reason="reads the field"))
    obs = env.step(act("mark_impacted_service", service=second))
    assert obs.marked == (first, second)
    assert f"marked: {first}, {second}" in obs.prompt
    again = env.step(act("mark_impacted_service", service=first))
    assert again.error == f"{first} is marked already; marked: {first}, {second}"
    assert again.marked == (first, second)
    assert again.metadata["reward_components"]["blast_radius"] == 0


@pytest.mark.parametrize("situation", ["rollback", "block"])
def test_the_deploy_log_names_the_newest_live_commit_and_counts_those_that_wait(situation):
    env, _ = started("L2", seed_of(situation, tier="L2"))
    shown = env.step(act("view_log", job_name="deploy")).logs["deploy"]
    live, waiting = re.fullmatch(r"live: (\w+); waiting: (\d+) commits", shown).groups()
    ids = [commit.id for commit in env.world.history]
    assert ids.index(live) == len(ids) - 1 - int(waiting)
    assert (ids.index(env.world.causal) <= ids.index(live)) == (situation == "rollback")


def test_fields_stand_beside_the_type_or_in_params():
    flat = '{"action_type": "view_log", "job_name": "unit-tests"}'
    assert parse_action(flat, ReleaseAction) == act("view_log", job_name="unit-tests")
    nested = '{"action_type": "view_log", "params": {"job_name": "unit-tests"}}'
    assert parse_action(nested, ReleaseAction) == act("view_log", job_name="unit-tests")
    empty = parse_action('{"action_type": "view_log", "params": {}}', ReleaseAction)
    assert empty.error == "view_log needs job_name"
    twice = '{"action_type": "view_log", "params": {"action_type": "view_reward"}}'
    assert isinstance(parse_action(twice, ReleaseAction), InvalidAction)


def test_a_list_of_services_is_read_as_names_with_commas():
    text = '{"action_type": "submit_blast_radius", "impacted_services": ["a", "b"]}'
    read = parse_action(text, ReleaseAction)
    assert read == act("submit_blast_radius", impacted_services="a, b")
    wrong = parse_action(text.replace('"b"', "2"), ReleaseAction)
    assert "valid string" in wrong.error


@pytest.mark.parametrize(
    ("kind", "field"),
    [("view_diff", "commit_id"), ("cat", "file_path"), ("run_unit_tests", "service"),
     ("view_log", "job_name"), ("submit_causal_change", "commit")],
)  # fmt: skip
def test_a_name_that_is_too_long_is_told_the_valid_ones(kind, field):
    env, _ = started()
    action = parse_action(json.dumps({"action_type": kind, field: "x" * 200}), ReleaseAction)
    error = env.step(action).error
    assert error.startswith(f"{field} 'xxx")
    assert "valid: " in error


def test_the_paths_that_an_error_names_are_there():
    for family in ("auth_sdk", "rounding"):
        env, _ = started(seed=seed_of("ship", family))
        told = env.step(act("cat", file_path=f"contracts/{env.world.provider}.py")).error
        readers = re.search(r"contracts/SERVICE.py of ([\w ]+)", told)[1].split()
        assert {f"contracts/{name}.py" for name in readers} == {
            path for path in env.world.tree if path.startswith("contracts/")
        }
        assert all(path in told for path in env.world.sketch.vendor)


def test_a_service_without_contracts_passes_none():
    env, _ = started()
    name = env.world.provider
    obs = env.step(act("run_contract_tests", service=name))
    assert obs.shown == f"{name} has no contracts: it reads nobody"
    assert obs.shown in obs.prompt
    assert (obs.contracts, obs.without_contracts) == ({}, (name,))
    later = env.step(act("view_commit_history"))
    assert "contracts pass" not in later.prompt
    with_some = sorted(env.world.impacted)[0]
    assert env.step(act("run_contract_tests", service=with_some)).contracts.keys() == {with_some}


def test_the_log_after_an_edit_is_that_of_the_pipeline_before_it():
    env, _ = started()
    before = env.step(act("view_log", job_name="unit-tests"))
    env.step(
        act("replace", file_path=env.world.path, search="def label():", replace="def label(a=1):")
    )
    after = env.step(act("view_log", job_name="unit-tests"))
    assert before.shown.startswith("log unit-tests: ")
    assert after.shown.startswith("log unit-tests (before edits): ")
    assert after.logs == before.logs


def test_the_ownership_map_says_what_its_marks_mean():
    env, _ = started(seed=seed_of("canary"))
    shown = env.step(act("view_ownership_map")).shown
    assert shown.startswith("protected, owner approves: ")
    assert "; hot, speed is not tested: " in shown
    assert env.world.provider in shown.split("hot, ")[1].split(";")[0]


@pytest.mark.parametrize("situation", SITUATIONS)
def test_who_blocks_red_code_blocks_needlessly_where_its_repair_could_go_on(situation):
    env, _ = started(seed=seed_of(situation))
    for decision in ("block", "rollback"):
        told = env.branch().step(decide(decision)).metadata["held_out"]
        assert told["needless_block"] == (situation not in ("block", "rollback"))
    assert env.step(decide("ship")).metadata["held_out"]["needless_block"] == 0


def test_an_unknown_owner_is_an_error_that_lists_the_teams_and_ends_nothing():
    env, _ = started()
    obs = env.step(decide("block", "somebody"))
    assert not obs.done
    assert all(team in obs.error for team in ("none", *env.world.owners.values()))


@pytest.mark.parametrize("kind", ReleaseAction.needs)
def test_every_action_parses_from_its_own_text_and_a_missing_field_is_told(kind):
    fields = {"decision": "block"}
    needed = ReleaseAction.needs[kind]
    action = act(kind, **{name: fields.get(name, "x") for name in needed})
    assert parse_action(action.text(), ReleaseAction) == action
    if needed:
        env, _ = started()
        assert needed[0] in env.step(act(kind)).error


@pytest.fixture(scope="module")
def tokens(weights):
    tokenizers = pytest.importorskip("tokenizers")
    tokenizer = tokenizers.Tokenizer.from_file(str(weights / "tokenizer.json"))
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def test_what_the_teachers_write_is_short_enough_for_a_small_model(tokens):
    longest = {}
    for split in ("train", "test_ood"):
        for seed in range(60):
            world = build(split, "L2", seed)
            search, put = world.sketch.repair
            edit = act("replace", file_path=world.path, search=search, replace=put)
            blast = ", ".join(sorted(world.impacted))
            for action in (edit, act("submit_blast_radius", impacted_services=blast)):
                size = tokens(action.text())
                longest[size] = (world.family, action.text())
    owner = decide("request_owner_approval", "team-money")
    assert tokens(owner.text()) <= LONGEST_ACTION
    assert max(longest) <= LONGEST_ACTION, longest[max(longest)]


def test_the_log_shows_what_really_running_the_tests_said():
    env, _ = started()
    obs = env.step(act("view_log", job_name="unit-tests"))
    told = obs.logs["unit-tests"]
    assert told.startswith(f"{env.world.provider}: ")
    assert "fail: " in told
    assert told[:30] in obs.prompt


def test_looks_are_kept_as_notes():
    env, _ = started()
    name = env.world.provider
    env.step(act("view_commit_history"))
    env.step(act("view_diff", commit_id=env.world.causal))
    obs = env.step(act("view_dependency_graph", service=name))
    assert [row[0] for row in obs.history][::-1] == [c.id for c in env.world.history]
    assert obs.diffs[env.world.causal][0][0] == env.world.path
    assert {row[0] for row in obs.graph[name]} == {"read by"}
    assert f"diff {env.world.causal}" in obs.prompt


def test_a_repair_turns_the_tests_green_and_pays_once():
    env, _ = started(seed=seed_of("ship", "flaky_test"))
    bad, good = env.world.sketch.repair
    there = act("replace", file_path=env.world.path, search=bad, replace=good)
    back = act("replace", file_path=env.world.path, search=good, replace=bad)
    assert env.step(act("run_unit_tests", service=env.world.provider)).units[env.world.provider]
    first = env.step(there)
    assert first.metadata["reward_components"]["ci_repair"] == pytest.approx(0.2)
    assert env.world.provider not in first.units, "results of the old code are forgotten"
    assert env.step(act("run_unit_tests", service=env.world.provider)).units == {
        env.world.provider: ""
    }
    assert env.step(back).error == ""
    again = env.step(there)
    assert again.error == ""
    assert again.metadata["reward_components"]["ci_repair"] == 0


def test_a_repair_that_is_lost_at_the_end_is_taken_back():
    env, _ = started(seed=seed_of("ship", "flaky_test"))
    bad, good = env.world.sketch.repair
    env.step(act("replace", file_path=env.world.path, search=bad, replace=good))
    env.step(act("replace", file_path=env.world.path, search=good, replace=bad))
    parts = env.step(decide("ship")).metadata["reward_components"]
    assert parts["ci_repair"] == pytest.approx(-0.2)
    assert parts["decision"] == parts["minimal_repair"] == parts["targeted_validation"] == 0


@pytest.mark.parametrize("folder", ["tests", "contracts"])
def test_tests_and_contracts_cannot_be_edited(folder):
    env, _ = started()
    path = next(path for path in env.world.tree if path.startswith(f"{folder}/"))
    obs = env.step(act("replace", file_path=path, search="assert", replace="pass"))
    assert obs.metadata["reward_components"]["tests_edited"] == -0.5
    assert "not to be edited" in obs.error
    assert env.step(act("cat", file_path=path)).files[path] == env.world.tree[path]


@pytest.mark.parametrize(
    ("search", "put", "said"),
    [
        ("no such text", "x", "found 0 times"),
        ("a", "b", "it must be found once"),
        ("", "b", "found 0 times"),
        ("def label():", "def label():", "changes nothing"),
        ("def label():", "def label():  # noted", None),
    ],
)
def test_an_edit_must_match_once_and_change_something(search, put, said):
    env, _ = started()
    obs = env.step(act("replace", file_path=env.world.path, search=search, replace=put))
    assert (said in obs.error) if said else not obs.error


def test_vendored_code_and_unknown_files_cannot_be_edited():
    env, _ = started(seed=seed_of("ship", "auth_sdk"))
    path = next(iter(env.world.sketch.vendor))
    obs = env.step(act("replace", file_path=path, search="return", replace="pass"))
    assert "cannot be edited; files: " in obs.error
    assert obs.metadata["reward_components"]["tests_edited"] == 0


def test_code_that_cannot_be_read_fails_its_tests_and_those_of_its_readers():
    env, _ = started()
    world = env.world
    env.step(act("replace", file_path=world.path, search="def label():", replace="def ("))
    reader = sorted(world.impacted)[0]
    assert env.step(act("run_unit_tests", service=world.provider)).units[world.provider]
    assert env.step(act("run_contract_tests", service=reader)).contracts[reader]


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [("submit_causal_change", "causal", None), ("submit_blast_radius", "blast", None)],
)
def test_a_submission_is_taken_once_and_shows_nothing(kind, first, second):
    env, _ = started()
    right = {"commit": env.world.causal} if "causal" in kind else {"impacted_services": "x"}
    if "blast" in kind:
        right = {"impacted_services": ", ".join(sorted(env.world.impacted))}
    wrong = (
        {"commit": next(c.id for c in env.world.history if c.id != env.world.causal)}
        if "causal" in kind
        else {"impacted_services": env.world.provider}
    )
    twin = env.branch()
    good, bad = env.step(act(kind, **right)), twin.step(act(kind, **wrong))
    assert good.reward == pytest.approx(0.14)
    assert bad.reward == pytest.approx(-0.01)
    again = twin.step(act(kind, **right))
    assert "already" in again.error
    assert again.reward < 0
    assert not set(bad.shown.split()) & {"right", "wrong", "expected", env.world.causal}


def test_view_reward_shows_what_was_earned_and_no_truth():
    env, _ = started()
    env.step(act("submit_causal_change", commit=env.world.causal))
    obs = env.step(act("view_reward"))
    assert "causal_diagnosis +0.15" in obs.prompt
    assert "decision" not in obs.shown


def test_a_decision_earns_nothing_while_the_tests_fail():
    env, _ = started()
    name = sorted(env.world.impacted)[0]
    env.step(act("run_contract_tests", service=name))
    for decision in ("ship", "block", "canary", "rollback", "request_owner_approval"):
        obs = env.branch().step(decide(decision))
        assert obs.done
        assert obs.reward <= -0.2
        assert obs.metadata["stop_reason"] == StopReason.COMPLETED


def test_words_in_a_reason_or_summary_change_nothing():
    env, _ = started()
    played_to_decision(env)
    plain = env.oracle_action()
    rich = plain.model_copy(update={"reason": "contract broken, owner, rollback, advisory"})
    assert env.branch().step(plain).reward == env.branch().step(rich).reward


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_right_decision_pays_and_every_other_one_does_not(situation):
    env, _ = started(seed=seed_of(situation))
    played_to_decision(env)
    right = env.oracle_action()
    assert right.decision == situation
    best = env.branch().step(right)
    assert best.reward == pytest.approx(0.49)
    assert best.metadata["held_out"]["decision_right"] == 1
    assert best.metadata["reward_components"]["decision"] == pytest.approx(0.2)
    for other in set(SITUATIONS) - {situation}:
        seen = env.branch().step(right.model_copy(update={"decision": other}))
        parts = seen.metadata["reward_components"]
        assert parts["decision"] == parts["owner_escalation"] == 0
        stops = ("block", "rollback")
        harmless = situation not in stops and other in stops
        assert seen.metadata["held_out"]["needless_block"] == harmless
    assert best.metadata["held_out"]["needless_block"] == 0
    shipped, canary = (env.branch().step(decide(name)) for name in ("ship", "canary"))
    unsafe = situation in ("block", "rollback")
    assert canary.metadata["held_out"]["unsafe_ship"] == unsafe
    assert canary.metadata["reward_components"]["broken_contract_shipped"] == 0
    assert shipped.metadata["held_out"]["unsafe_ship"] == unsafe
    assert (shipped.metadata["reward_components"]["broken_contract_shipped"] < 0) == unsafe


@pytest.mark.parametrize("situation", SITUATIONS)
def test_the_right_teams_alone_pay_for_being_notified(situation):
    env, _ = started("L2", seed_of(situation, tier="L2"))
    played_to_decision(env)
    world = env.world
    right = second_opinion.opinion(world, world.repaired()).teams
    for team in ("none", *dict.fromkeys(world.owners.values())):
        obs = env.branch().step(decide(situation, team))
        paid = obs.metadata["reward_components"]["owner_escalation"]
        assert paid == pytest.approx(0.05 if team in right else 0.0), team
        assert obs.metadata["held_out"]["owner_right"] == (team in right)
    assert ("none" in right) == (situation == "ship")
    if situation in ("canary", "request_owner_approval"):
        assert right == {world.owners[world.provider]}


def test_a_shifted_token_expiry_is_blocked_and_the_owner_of_a_broken_reader_is_notified():
    env, _ = started(seed=seed_of("block", "auth_sdk"))
    played_to_decision(env)
    world = env.world
    broken = env.verdict()[1]
    assert set(broken) <= world.impacted
    assert broken
    for name in world.services:
        paid = env.branch().step(decide("block", world.owners[name]))
        wanted = world.owners[name] in {world.owners[other] for other in broken}
        assert (paid.metadata["reward_components"]["owner_escalation"] > 0) == wanted, name


@pytest.mark.parametrize("family", ["auth_sdk", "payment_schema", "advisory", "flaky_test"])
def test_a_better_patch_turns_a_block_into_a_ship(family):
    def decided(edit):
        env, _ = started(seed=seed_of("ship", family))
        path, name = env.world.path, env.world.provider
        env.step(act("replace", file_path=path, search=edit[0], replace=edit[1]))
        assert env.step(act("run_unit_tests", service=name)).units[name] == ""
        return env.verdict()[0]

    sketch = build("train", "L1", seed_of("ship", family)).sketch
    assert decided(sketch.hint or sketch.partial) in ("block", "rollback")
    assert decided(sketch.repair) == "ship"


def test_an_episode_has_24_steps_by_default_and_no_more():
    for options in ({}, {"steps": 100}):
        env, obs = started(**options)
        assert obs.budget == 24
        while not obs.done:
            obs = env.step(act("view_commit_history"))
        assert obs.step == 24
        assert obs.metadata["reward_components"]["out_of_steps"] == pytest.approx(-0.3)


def test_validation_before_an_edit_is_no_validation_of_what_follows():
    env, _ = started()
    for name in sorted(env.world.impacted):
        env.step(act("run_contract_tests", service=name))
    env.step(env.oracle_action())
    obs = env.step(env.oracle_action())
    assert obs.edits
    assert obs.contracts == {}
    parts = env.step(decide("block")).metadata["reward_components"]
    assert parts["no_validation"] == -0.2
    assert parts["targeted_validation"] == 0


def test_running_everything_is_validated_less_than_running_the_impacted():
    env, _ = started(tier="L3")
    played_to_decision(env)
    few = env.branch().step(env.oracle_action())
    for name in env.world.services:
        env.step(act("run_contract_tests", service=name))
    many = env.step(env.oracle_action())
    paid = [obs.metadata["reward_components"]["targeted_validation"] for obs in (few, many)]
    assert paid[0] == pytest.approx(0.15)
    assert 0 < paid[1] < 0.13


def test_a_larger_patch_earns_less():
    env, _ = started(seed=seed_of("ship", "rounding"))
    played_to_decision(env)
    padded = "def label():\n" + "    # padding\n" * 3
    twin = env.branch()
    twin.step(act("replace", file_path=env.world.path, search="def label():\n", replace=padded))
    played_to_decision(twin)
    paid = [
        walker.step(walker.oracle_action()).metadata["reward_components"]["minimal_repair"]
        for walker in (env, twin)
    ]
    assert paid == pytest.approx([0.1, 0.025])


def test_steps_that_run_out_cost_and_end_the_episode():
    env, obs = started(steps=3)
    while not obs.done:
        obs = env.step(act("view_commit_history"))
    assert obs.metadata["stop_reason"] == StopReason.BUDGET
    assert obs.reward == pytest.approx(-0.31)
    assert obs.metadata["held_out"]["decided"] == 0


def test_two_environments_share_nothing():
    first, _ = started()
    second, before = started()
    while first.oracle_action().action_type != "submit_release_decision":
        first.step(first.oracle_action())
    obs = second.step(InvalidAction(raw="", error="nothing"))
    assert obs.edits == before.edits == ()
    assert obs.causal == ""
    assert second.oracle_action().action_type == "submit_causal_change"


@pytest.mark.parametrize("budget", [LEAST_TOKENS, 260, 1024])
def test_no_prompt_is_over_its_budget(budget):
    for tier in ("L1", "L3"):
        env, obs = started(tier=tier, prompt_tokens=budget)
        guide = env_lib.policy("release", "careful")
        while not obs.done:
            assert count_tokens(obs.prompt) <= budget, obs.prompt
            wrong = env.branch().step(act("cat", file_path="no/such/file.py"))
            assert count_tokens(wrong.prompt) <= budget, wrong.prompt
            assert wrong.done or "error: " in wrong.prompt
            obs = env.step(guide(obs))


@pytest.mark.parametrize("budget", [LEAST_TOKENS, 260])
def test_the_real_tokenizer_finds_prompts_within_their_budget(budget, tokens):
    for tier in ("L1", "L2", "L3"):
        env, obs = started(tier=tier, seed=2, prompt_tokens=budget)
        guide = env_lib.policy("release", "careful")
        while not obs.done:
            assert tokens(obs.prompt) <= budget, obs.prompt
            obs = env.step(guide(obs))


def test_the_whole_menu_of_actions_fits_the_smallest_profile(tokens):
    p = PROFILES["cpu"]
    env, _ = started(**CPU.env_options)
    template = 14  # roles and turns around system prompt and prompt
    used = tokens(env.system_prompt) + env.prompt_tokens + LONGEST_ACTION + template
    named = {*ReleaseAction.needs, *(n for needed in ReleaseAction.needs.values() for n in needed)}
    assert all(name in env.system_prompt for name in named)
    assert used <= p.max_seq_length


@pytest.mark.parametrize("split", ["train", "test_ood"])
def test_the_shortest_prompt_shows_the_text_that_the_guided_teacher_replaces(split):
    seen = 0
    for tier in ("L1", "L3"):
        env, guide = ReleaseEnv(scenario=tier, split=split, prompt_tokens=0), policies.Guided()
        for seed in range(8):
            obs = env.reset(seed=seed)
            guide.start(env, seed)
            while (action := guide(obs)).action_type != "replace":
                obs = env.step(action)
            assert action.search in obs.prompt, env.world.family
            seen += 1
    assert seen == 16


def test_the_history_that_was_not_read_stays_in_the_prompt():
    env, obs = started("L2", seed=3)
    for action in (act("view_log", job_name="unit-tests"), act("view_commit_history")):
        obs = env.step(action)
    newest = obs.history[0][0]
    obs = env.step(act("view_diff", commit_id=newest))
    rows = obs.prompt.split("not read yet:\n")[1].splitlines()
    assert not any(row.startswith(f"{newest} ") for row in rows)
    assert rows[0].startswith(f"{obs.history[1][0]} ")


def test_what_was_just_shown_is_not_shown_twice():
    env, obs = started("L2", seed=3)
    guide = policies.Guided()
    guide.start(env, 3)
    while not obs.done:
        lines = obs.prompt.splitlines()
        assert not any(a != b and b.startswith(a) for a in lines for b in lines), obs.prompt
        obs = env.step(guide(obs))


def test_once_a_cause_is_submitted_its_code_stands_before_the_log_and_its_tests_are_left_out():
    env, _ = started(seed=seed_of("ship", "flaky_test"))
    env.step(act("view_log", job_name="unit-tests"))
    seen = env.step(act("view_diff", commit_id=env.world.causal))
    obs = env.step(act("submit_causal_change", commit=env.world.causal))
    assert f"tests/{env.world.provider}.py" in seen.shown
    assert f"tests/{env.world.provider}.py" not in obs.prompt
    assert 0 < obs.prompt.index("diff ") < obs.prompt.index("log ")


def test_a_budget_too_small_is_raised_and_no_step_is_refused():
    assert ReleaseEnv(prompt_tokens=20).prompt_tokens == LEAST_TOKENS
    with pytest.raises(ValueError, match="at least 1"):
        ReleaseEnv(steps=0)


def test_rewards_stay_within_the_range_that_is_stated():
    from env_lib.envs.release.env import REWARD_RANGE

    rewards = []
    for name in ("random", "always_ship", "oracle", "edit_tests"):
        env = env_lib.make("release", split="test")
        done = env_lib.run_episode(env, env_lib.policy("release", name))
        rewards += [step.reward for step in done.steps]
    assert REWARD_RANGE[0] <= min(rewards) < max(rewards) <= REWARD_RANGE[1]


def test_an_observation_is_json_and_a_refusal_is_an_error_of_values():
    _, obs = started()
    assert json.loads(obs.model_dump_json())["services"] == list(obs.services)
    assert issubclass(Refused, ValueError)


def test_a_clients_edit_holds_up_no_other_client():
    pytest.importorskip("openenv", reason="the serve extra is not installed")
    from env_lib.server import DutyService

    first, second = (DutyService("release")() for _ in range(2))
    seen = [service.reset(seed=0, scenario="L1", split="train") for service in (first, second)]
    runs, carry_on = first._env.step, threading.Event()

    def held(action):  # an edit whose tests end once the other client is answered
        return runs(action) if carry_on.wait(60) else None

    first._env.step = held
    edit = {"file_path": f"{seen[0].services[0]}/api.py", "search": "def label():"}
    edit |= {"action_type": "replace", "replace": "def label():  # noted"}

    async def play():
        waiting = asyncio.create_task(first.step_async(first.wire.action.model_validate(edit)))
        look = second.wire.action.model_validate({"action_type": "view_commit_history"})
        await asyncio.sleep(0)
        other = await second.step_async(look)
        early = waiting.done()
        carry_on.set()
        return early, other, await waiting

    early, other, edited = asyncio.run(play())
    assert not early
    assert other.history
    assert edited.edits == (tuple(edit[name] for name in ("file_path", "search", "replace")),)
