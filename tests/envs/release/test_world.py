"""Worlds: made from their seed alone, distinct, balanced, and what they were made to be."""

import random
import re
from collections import Counter
from dataclasses import replace

import pytest

from env_lib.envs.release import data, decoys, message_probe, truth
from env_lib.envs.release.brute import failing
from env_lib.envs.release.code import Constants, path_of
from env_lib.envs.release.families import FAMILIES, OUTSIDE, draw, messages_of
from env_lib.envs.release.leaks import (
    decisions_are_even,
    impact_is_what_breaks,
    plain_results,
    truth_is_what_runs,
)
from env_lib.envs.release.looks import diff_of
from env_lib.envs.release.message_probe import messages_tell_no_cause
from env_lib.envs.release.world import SITUATIONS, SIZES, SPLITS, build, situation_of

EPISODES = 1000
TIERS = tuple(SIZES)


@pytest.mark.parametrize("split", SPLITS)
def test_a_split_has_a_thousand_distinct_episodes(split):
    hashes = {build.__wrapped__(split, "L1", seed).content_hash() for seed in range(EPISODES)}
    assert len(hashes) == EPISODES


def test_splits_and_scenarios_share_no_episode():
    worlds = [build(split, tier, seed) for split in SPLITS for tier in TIERS for seed in range(10)]
    assert len({world.content_hash() for world in worlds}) == len(worlds)


def test_the_same_seed_makes_the_same_world_whatever_was_made_before():
    first = build.__wrapped__("val", "L3", 7).content_hash()
    random.seed(5)
    build.__wrapped__("train", "L1", 2)
    assert build.__wrapped__("val", "L3", 7).content_hash() == first


@pytest.mark.parametrize("split", SPLITS)
def test_three_families_are_kept_for_test_ood(split):
    found = {build(split, tier, seed).family for tier in TIERS for seed in range(30)}
    assert len(FAMILIES) + len(OUTSIDE) >= 12
    assert len(OUTSIDE) == 3
    assert found <= set(OUTSIDE if split == "test_ood" else FAMILIES)
    assert len(found) == 3 if split == "test_ood" else len(found) >= 10


def test_an_unknown_family_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"known: auth_sdk, .*timezone"):
        draw("no such family", random.Random(0), False)


@pytest.mark.parametrize("family", [*FAMILIES, *OUTSIDE])
def test_a_family_takes_under_120_lines(family):
    from pathlib import Path

    import env_lib.envs.release.families as package

    path = Path(package.__file__).with_name(f"{family}.py")
    assert len(path.read_text("utf-8").splitlines()) < 120


def test_each_five_consecutive_seeds_have_each_situation_once():
    for split in SPLITS:
        for start in range(0, 50, 5):
            found = [situation_of(split, "L2", seed) for seed in range(start, start + 5)]
            assert sorted(found) == sorted(SITUATIONS)


def test_a_family_does_not_tell_the_decision():
    found = {}
    for seed in range(240):
        world = build("train", "L1", seed)
        found.setdefault(world.family, Counter())[situation_of("train", "L1", seed)] += 1
    for family, counts in found.items():
        assert len(counts) >= 3, family
        assert max(counts.values()) <= 0.75 * sum(counts.values()), (family, counts)


@pytest.mark.parametrize("split", ["train", "test_ood"])
def test_an_episode_is_red_and_its_reference_patch_makes_its_situation_right(split):
    for tier in TIERS:
        for seed in range(20):
            world = build(split, tier, seed)
            assert data.fault_of(world, situation_of(split, tier, seed)) == "", world.family


def test_the_causal_commit_is_the_first_after_which_the_unit_tests_fail():
    for seed in range(12):
        world = build("train", "L2", seed)
        units = [c for c in world.checks if c.service == world.provider and c.kind == "unit"]
        for commit in world.history:
            if commit.id == world.causal:
                assert failing(commit.tree, units)
                break
            old = [c for c in units if c.id in commit.tree[f"tests/{world.provider}.py"]]
            if world.sketch.demand == "old":
                assert not failing(commit.tree, old)


def test_decoys_stand_beside_the_causal_commit_and_change_nothing_that_is_tested():
    for seed in range(12):
        world = build("test", "L3", seed)
        others = [c for c in world.history if c.id != world.causal]
        assert len(world.history) in range(8, 11)
        assert any(c.service == world.provider for c in others)
        assert any(f"# {world.sketch.field}: " in c.tree[path_of(c.service)] for c in others)
        assert all(diff_of(world, c.id) for c in world.history)
        plain = {**world.tree, world.path: world.untouched}
        contracts = [c for c in world.checks if c.kind == "contract"]
        old_vendor = {path: pair[0] for path, pair in world.sketch.vendor.items()}
        assert not failing(plain | old_vendor, contracts)


def in_code(world, commit):
    """Whether a commit changes lines of a service that are neither settings nor comments."""
    return any(
        path.endswith("/api.py") and not re.fullmatch(r"(#.*|[A-Z]+ = .*|)", old or new)
        for path, old, new in diff_of(world, commit.id)
    )


def adds_a_test(world, commit):
    return any(path.startswith("tests/") and "def test_" in new
               for path, _, new in diff_of(world, commit.id))  # fmt: skip


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("split", ["train", "test_ood"])
def test_neither_code_nor_a_changed_test_tells_the_cause_from_its_decoys(split, tier):
    for seed in range(40):
        world = build(split, tier, seed)
        plausible = [c for c in world.history if c.id != world.causal and in_code(world, c)]
        own = [c for c in plausible if c.service == world.provider]
        assert len(plausible) >= 2, seed
        assert len(own) >= (1 if tier == "L1" else 2), seed
        assert any(c.service != world.provider for c in plausible), seed
        assert any(adds_a_test(world, c) for c in own), seed
        assert adds_a_test(world, next(c for c in world.history if c.id == world.causal))


def test_a_unit_test_that_a_decoy_brings_is_run_and_passes_after_the_reference_patch():
    for seed in range(12):
        world = build("train", "L2", seed)
        brought = [c for c in world.checks if c.kind == "unit" and not c.id[-1].isdigit()]
        assert brought
        assert all(f"def {c.id}():" in world.tree[f"tests/{c.service}.py"] for c in brought)
        assert not failing(world.repaired(), brought)


def test_every_kind_of_decoy_changes_text_and_no_result():
    kinds = set()
    for seed in range(30):
        world = build("train", "L3", seed)
        place = decoys.Place(
            world.sketch, world.provider, world.services,
            {name: Constants("eu", 0, 0) for name in world.services}, world.before, world.checks,
        )  # fmt: skip
        units = [c for c in world.checks if c.kind in ("unit", "contract")]
        bad = failing(world.before, units)
        for name in world.services:
            for kind in decoys.CODE:
                tree = dict(world.before)
                decoys._decoy(random.Random(seed), place, kind, name)(tree)
                kinds |= {kind} if tree != world.before else set()
                assert failing(tree, units) == bad, (kind, name)
    assert kinds == set(decoys.CODE)


def test_histories_are_as_long_as_their_scenario_says():
    for tier, lengths in {"L1": {4, 5}, "L2": {6, 7}, "L3": {8, 9, 10}}.items():
        worlds = [build("train", tier, seed) for seed in range(30)]
        assert {len(world.history) for world in worlds} == lengths
        assert all(len({c.id for c in world.history}) == len(world.history) for world in worlds)


@pytest.mark.parametrize("split", ["train", "test_ood"])
def test_a_decoy_says_what_a_causal_commit_may_say_and_one_touches_the_same_test_file(split):
    known = OUTSIDE if split == "test_ood" else FAMILIES
    fixed = set(messages_of(known, random.Random(0)))
    for seed in range(20):
        world = build(split, "L1", seed)
        said = {c.message.partition(": ")[2] for c in world.history if c.id != world.causal}
        assert any(text in fixed for text in said)
        own = {c.message.partition(": ")[2] for c in world.history if c.service == world.provider}
        assert own <= set(world.sketch.messages)
        touching = [
            c.id for c in world.history
            if any(path == f"tests/{world.provider}.py" for path, _, _ in diff_of(world, c.id))
        ]  # fmt: skip
        assert world.causal in touching
        assert len(touching) >= 2


@pytest.mark.parametrize("split", ["train", "test_ood"])
def test_messages_alone_name_the_cause_no_better_than_guessing(split):
    assert messages_tell_no_cause(split, [0]) == ""


def test_messages_that_name_the_cause_would_be_noticed(monkeypatch):
    def telling(split, tier, seed):
        world = build(split, tier, seed)
        said = tuple(
            replace(c, message=f"{c.service}: rework") if c.id == world.causal else c
            for c in world.history
        )
        return replace(world, history=said)

    monkeypatch.setattr(message_probe, "build", telling)
    assert "above guessing" in messages_tell_no_cause("train", [0])


def test_every_service_has_a_unit_test():
    for tier in TIERS:
        for seed in range(10):
            world = build("train", tier, seed)
            tested = {c.service for c in world.checks if c.kind == "unit"}
            assert tested == set(world.services)
            assert all(f"tests/{name}.py" in world.tree for name in world.services)


def test_graphs_grow_with_the_scenario_and_leave_somebody_out():
    for tier, (least, most) in {"L1": (4, 6), "L2": (6, 8), "L3": (7, 9)}.items():
        for seed in range(20):
            world = build("val", tier, seed)
            assert least <= len(world.services) <= most
            assert set(world.owners) == set(world.services)
            assert 2 <= len(world.impacted) <= 3
            assert world.impacted < set(world.services) - {world.provider}
            assert all(path_of(name) in world.tree for name in world.services)


def test_a_chain_of_readers_is_impacted_to_its_end():
    deep = 0
    for seed in range(10):
        world = build("val", "L3", seed)
        direct = {r.consumer for r in world.reads if r.provider == world.provider}
        deep += bool(world.impacted - direct)
    assert deep == 10


@pytest.mark.parametrize("check", [decisions_are_even, impact_is_what_breaks, truth_is_what_runs])
@pytest.mark.parametrize("split", ["train", "test_ood"])
def test_truth_is_checked_a_second_time_without_the_sandbox(check, split):
    assert check(split, [0, 1]) == ""


def test_a_broken_generator_would_be_found():
    world = build("train", "L1", 0)
    wrong = next(s for s in SITUATIONS if s != situation_of("train", "L1", 0))
    assert "is right" in data.fault_of(world, wrong)
    results = plain_results(world, world.tree)
    assert truth.right_decision(world, world.tree, results) == ""


def test_the_data_report_counts_and_validates_what_is_generated():
    report = data.build()
    assert report["sampled"] == report["distinct"] == 240
    assert data.validate() == []
    with pytest.raises(ValueError, match="no live source"):
        data.build(live_repo="owner/name")


def test_the_tables_show_splits_and_decisions():
    tables = data.tables()
    assert set(tables["splits"]["split"]) == set(SPLITS)
    assert (tables["truth"].to_numpy() == 12).all()
