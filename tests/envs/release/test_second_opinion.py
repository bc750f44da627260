"""The truth a second time: it agrees, and it would be noticed if it did not."""

import pytest

from env_lib.envs.release import leaks, rules, second_opinion, truth
from env_lib.envs.release.world import SPLITS, build, patched
from tests.envs.release.finding import seed_of


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Compare few episodes, for time; the audit compares all."""
    monkeypatch.setattr(second_opinion, "COMPARED", 2)


@pytest.mark.parametrize("split", SPLITS)
def test_the_environments_truth_is_what_calling_every_reader_says(split):
    assert second_opinion.disagreements(split, range(2)) == ""


def test_the_audit_compares_two_hundred_episodes_and_says_so():
    (name,) = (name for name, check in leaks.CHECKS.items() if check is leaks.disagreements)
    assert int(name.split(", ")[1].split()[0]) >= 200
    assert int(name.split(", ")[1].split()[0]) == leaks.COMPARED * len(leaks.SCENARIOS)


def test_a_better_patch_turns_a_block_into_a_ship_here_too():
    world = build("train", "L1", seed_of("ship", "payment_schema"))
    tempting = patched(world.tree, world.path, world.sketch.hint)
    decision, broken, teams = second_opinion.opinion(world, tempting)
    assert teams == {world.owners[name] for name in broken}
    assert decision in ("block", "rollback")
    assert broken <= world.impacted
    assert broken
    assert second_opinion.opinion(world, world.repaired()) == ("ship", frozenset(), {"none"})
    assert second_opinion.opinion(world, world.tree)[0] == ""


def test_an_unsafe_dependency_is_read_out_of_the_advisory():
    world = build("train", "L1", seed_of("ship", "advisory"))
    unsafe = patched(world.tree, world.path, world.sketch.hint)
    decision, broken, teams = second_opinion.opinion(world, unsafe)
    assert decision in ("block", "rollback")
    assert broken == set()
    assert teams == {world.owners[world.provider]}, "nobody reads what is broken"


def test_a_truth_that_overlooks_broken_contracts_is_found(monkeypatch):
    monkeypatch.setattr(truth, "broken_contracts", lambda world, results: ())
    assert "by calling readers" in second_opinion.disagreements("train", range(5))


def test_a_truth_that_notifies_nobody_is_found(monkeypatch):
    monkeypatch.setattr(truth, "right_owners", lambda *state: frozenset({"none"}))
    assert "to notify ['none']; by calling readers" in second_opinion.disagreements("train", [0])


def test_what_a_retry_passes_over_is_found_by_calling_readers():
    world = build("train", "L1", seed_of("ship", "flaky_test"))
    partial = patched(world.tree, world.path, world.sketch.partial)
    decision, broken, _ = second_opinion.opinion(world, partial)
    assert decision in ("block", "rollback")
    assert broken == world.impacted


def test_the_command_says_how_many_agree(capsys):
    assert second_opinion.main(["1"]) == 0
    assert capsys.readouterr().out == "12 episodes: all agree\n"


def test_naive_ships_what_is_broken_and_earns_less_than_careful_on_unseen_families():
    assert leaks.naive_ships_what_is_broken("test_ood", range(2)) == ""


def test_a_naive_that_ships_nothing_broken_would_be_noticed(monkeypatch):
    monkeypatch.setattr(rules, "Naive", rules.Careful)
    assert "naive shipped nothing broken" in leaks.naive_ships_what_is_broken("test", [0])
