"""What the audit tells beside its promises: shortened tiers, figures of the checks that measure."""

from env_lib import audit as auditing
from env_lib.audit import audit
from env_lib.envs.supervise import leaks as supervise_leaks
from env_lib.envs.triage import policies


def test_a_tier_that_the_split_cannot_fill_is_told_in_table_and_text(monkeypatch):
    monkeypatch.setattr(policies, "audit_policies", dict)
    report = audit("triage", "test", seeds=[0], n_jobs=1)
    budget = {row["scenario"]: row["budget"] for row in report.table}
    assert {row["scenario"] for row in report.table if row["shortened"]} == {"E5"}
    assert budget["E4"] == 320
    assert budget["E5"] < 500
    assert f"E5: shortened to {budget['E5']} steps" in report.text()


def test_a_check_that_measures_tells_its_figure_also_where_nothing_leaked(monkeypatch):
    checks = {
        "plain": lambda split, seeds: "",
        "leaky": lambda split, seeds: f"seed {seeds[0]} of {split} leaks",
        "measured": lambda split, seeds: ("", "at most 0.3"),
        "too much": lambda split, seeds: ("above 0.35", "0.4"),
    }
    monkeypatch.setattr(supervise_leaks, "CHECKS", checks)
    found = auditing._leaks("supervise", "val", [7])
    assert [(p.name, p.holds, p.detail) for p in found] == [
        ("leak check: plain", True, "clean"),
        ("leak check: leaky", False, "seed 7 of val leaks"),
        ("leak check: measured", True, "clean; at most 0.3"),
        ("leak check: too much", False, "above 0.35; 0.4"),
    ]


def test_supervise_tells_the_largest_constant_share_and_the_gain_with_its_interval(monkeypatch):
    leak, told = supervise_leaks.no_constant_is_often_right("val", range(2))
    assert leak == ""
    assert 0.2 < float(told.split()[2]) <= supervise_leaks.MOST
    monkeypatch.setattr(supervise_leaks, "MOST", 0.2)
    assert supervise_leaks.no_constant_is_often_right("val", range(2)) == (told, told)
    monkeypatch.setattr(supervise_leaks, "RELEASES", 2)
    leak, told = supervise_leaks.the_learner_learns("val", range(2))
    low = float(told.split("[")[1].split(",")[0])
    assert told.endswith("more accurate in 8 releases")
    assert bool(leak) == (low <= 0)
