"""What the report reads out of the tables is what they hold."""

import csv

from env_lib.paths import FIGURES, ROOT

REPORT = (ROOT / "papers" / "report.md").read_text(encoding="utf-8")
READING = REPORT.partition("## Reading")[2].partition("\n## ")[0]


def rows(duty, name):
    with (FIGURES / duty / "tables" / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def paragraph(duty):
    return READING.partition(f"**{duty}**")[2].partition("\n\n")[0]


def steps(duty, policy, **wanted):
    return sum(
        int(r["steps"])
        for r in rows(duty, "plays")
        if r["policy"] == policy and all(r[name] == value for name, value in wanted.items())
    )


def score(duty, policy, split):
    (row,) = [
        r
        for r in rows(duty, "scores")
        if (r["policy"], r["split"], r["training_seed"]) == (policy, split, "all")
    ]
    return float(row["score"])


def gain(duty, a, b, split):
    (row,) = [
        r
        for r in rows(duty, "differences")
        if (r["a"], r["b"], r["split"], r["scenario"], r["training_seed"])
        == (a, b, split, "all", "all")
    ]
    return float(row["low"]), float(row["high"])


def held_out(duty, policy, split, metric):
    """Episodes in which a metric of 0 or 1 was 1."""
    return round(
        sum(
            float(r["mean"]) * int(r["episodes"])
            for r in rows(duty, "held_out")
            if (r["policy"], r["split"], r["metric"]) == (policy, split, metric)
        )
    )


def test_repair_takes_back_and_submits_what_the_last_line_tells():
    undone = steps("repair", "sft", told="gained nothing")
    assert undone == steps("repair", "sft", told="gained nothing", action="undo")
    passing = steps("repair", "sft", told="all pass")
    assert passing == steps("repair", "sft", told="all pass", action="submit")
    told = f"each of {undone} edits that gained nothing and submitted each of {passing} times"
    assert told in paragraph("repair")


def test_repair_scores_as_the_rule_that_tries_and_below_doing_nothing_on_test():
    for split in ("test", "test_ood"):
        low, high = gain("repair", "grpo", "trial", split)
        assert low < 0 < high
        assert gain("repair", "grpo", "sft", split) == (0, 0)
    assert score("repair", "sft", "test") < score("repair", "always_submit", "test")


def test_repair_solves_a_third_and_half_with_one_bug():
    share = {
        (r["policy"], r["split"]): float(r["share"])
        for r in rows("repair", "solved")
        if r["group"] == "R1"
    }
    assert abs(share["sft", "test"] - 1 / 3) < 0.05
    assert abs(share["sft", "test_ood"] - 1 / 2) < 0.05
    assert share["base_few_shot", "test"] == share["base_few_shot", "test_ood"] == 0


def test_release_does_what_is_named_and_where_it_does_not():
    own = steps("release", "grpo", split="test")
    assert own == steps("release", "grpo", split="test", told="named")
    assert f"each of the {own} steps of `grpo`" in paragraph("release")
    ood = steps("release", "grpo", split="test_ood")
    other = steps("release", "grpo", split="test_ood", told="kind")
    assert other + steps("release", "grpo", split="test_ood", told="named") == ood
    assert f"{other} of {ood} were of the kind" in paragraph("release")


def test_release_finds_repairs_and_decides_as_told():
    found, ood = (
        (held_out("release", "grpo", s, "causal_right"), held_out("release", "grpo", s, "repaired"))
        for s in ("test", "test_ood")
    )
    assert f"in {found[0]} on `test` and {ood[0]} on `test_ood`" in paragraph("release")
    assert f"passes the unit tests in {found[1]} and {ood[1]}" in paragraph("release")
    decided = {
        r["action"]
        for r in rows("release", "plays")
        if r["policy"] == "grpo" and r["action"].startswith("submit_release_decision")
    }
    assert decided == {"submit_release_decision request_owner_approval"}
    for split in ("test", "test_ood"):
        assert held_out("release", "grpo", split, "unsafe_ship") == 0
        assert held_out("release", "grpo", split, "needless_block") == 0
        right = [held_out("release", p, split, "decision_right") / n for p, n in (
            ("logistic_regression", 120), ("grpo", 24))]  # fmt: skip
        assert right[0] > 3 * right[1]


def test_release_gains_from_practice_clear_of_zero_on_unseen_families_alone():
    low, high = gain("release", "grpo", "sft", "test")
    assert low < 0 < high
    low, _ = gain("release", "grpo", "sft", "test_ood")
    assert low > 0
