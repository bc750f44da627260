"""What the report tells of given-up runs is what their tables hold."""

import csv
import json

import pytest

from env_lib.paths import ROOT

TRIED = ROOT / "figures" / "tried" / "triage-oracle-traces"
MASTERY = ROOT / "figures" / "tried" / "triage-mastery"
OWN = ROOT / "figures" / "tried" / "triage-own-states"
EDITS = ROOT / "figures" / "tried" / "repair-right-edits"
MENU = ROOT / "figures" / "tried" / "release-no-menu"
REPORT = (ROOT / "papers" / "report.md").read_text(encoding="utf-8")
SECTION = REPORT.partition("## What was tried")[2].partition("\n## ")[0]


def rows(name, folder=TRIED):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("tier", ["E0", "E1"])
def test_the_warm_starts_returns_are_the_tables(tier):
    (row,) = [r for r in rows("table") if (r["policy"], r["scenario"]) == ("sft", tier)]
    assert f"{float(row['mean_return']):.1f} on {tier}" in SECTION


def test_the_paired_differences_are_the_tables():
    found = {r["scenario"]: r for r in rows("differences") if (r["a"], r["b"]) == ("grpo", "sft")}
    won, low, high = (float(found["E0"][name]) for name in ("mean", "low", "high"))
    assert f"won {won:.1f} [{low:.1f}, {high:.1f}] on E0" in SECTION
    lost = sorted(-float(found[tier]["mean"]) for tier in ("E3", "E4", "E5"))
    assert f"by {lost[0]:.1f} to {lost[-1]:.1f} on E3 to E5" in SECTION


def test_the_counts_of_actions_are_the_tables():
    count = {
        (r["scenario"], r["action_type"]): int(r["steps"])
        for r in rows("actions")
        if r["policy"] == "grpo"
    }
    whole = sum(steps for (tier, _), steps in count.items() if tier == "E0")
    assert f"`query_history` in {count['E0', 'query_history']} of {whole} steps" in SECTION
    assert f"On E4, {count['E4', 'invalid']} of" in SECTION


def test_the_training_rewards_are_those_of_the_log():
    told = json.loads((TRIED / "grpo.json").read_text(encoding="utf-8"))
    first, last = told["reward_first_third"], told["reward_last_third"]
    assert f"from {first:.2f} to {last:.2f}" in SECTION


def test_the_two_seeds_of_mastery_are_the_tables():
    found = {
        r["scenario"]: [float(r[name]) for name in ("mean", "low", "high")]
        for r in rows("differences", MASTERY)
        if (r["training_seed"], r["a"], r["b"]) == ("0", "grpo", "sft")
    }
    (won, low, high), (more, least, most) = found["E0"], found["E1"]
    assert f"won {won:.1f} [{low:.1f}, {high:.1f}] on E0" in SECTION
    assert f"and {more:.1f} [{least:.1f}, {most:.1f}] on E1" in SECTION
    lost, low, high = (-x for x in found["E5"])
    assert f"lost {lost:.1f} [{high:.1f}, {low:.1f}] on E5" in SECTION
    merged = [
        r for r in rows("actions", MASTERY) if (r["training_seed"], r["policy"]) == ("1", "grpo")
    ]
    assert {r["action_type"] for r in merged} == {"merge_pr"}
    assert f"`merge_pr` in all {sum(int(r['steps']) for r in merged)} steps" in SECTION


def test_the_seed_with_states_of_its_own_is_the_tables():
    gains = [r for r in rows("differences", OWN) if r["scenario"] == "all"]
    found = {(r["a"], r["b"]): [float(r[n]) for n in ("mean", "low", "high")] for r in gains}
    for pair in (("sft", "base_zero_shot"), ("sft", "base_few_shot"), ("grpo", "sft")):
        won, low, high = found[pair]
        assert f"{won:.1f} [{low:.1f}, {high:.1f}]" in SECTION
    tiers = [r for r in rows("differences", OWN) if (r["a"], r["b"]) == ("grpo", "sft")]
    assert min(float(r["low"]) for r in tiers) > 0
    for seed, told in json.loads((OWN / "selection.json").read_text(encoding="utf-8")).items():
        returns = ", ".join(f"{value:.1f}" for value in told["val_return"].values())
        assert f"seed {seed} earned {returns}" in SECTION or f"seed {seed} {returns}" in SECTION


def test_the_scores_of_right_edits_alone_are_the_tables():
    score = {
        (r["policy"], r["split"]): f"{float(r['score']):.2f}"
        for r in rows("scores", EDITS)
        if r["training_seed"] == "all"
    }
    sft, ood = score["sft", "test"], score["sft", "test_ood"]
    assert f"`sft` {sft} on `test` and {ood} on `test_ood`" in SECTION
    assert f"`grpo` {score['grpo', 'test']} and {score['grpo', 'test_ood']}" in SECTION


def test_the_validation_returns_without_a_menu_are_those_kept():
    told = json.loads((MENU / "selection.json").read_text(encoding="utf-8"))["val_return"]
    assert f"{told['0']:.2f} before and {told['1']:.2f} after a round of GRPO" in SECTION
