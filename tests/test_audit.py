"""The audit's table says where a tier was played with fewer steps than it has."""

from env_lib.audit import audit
from env_lib.envs.triage import policies


def test_a_tier_that_the_split_cannot_fill_is_told_in_table_and_text(monkeypatch):
    monkeypatch.setattr(policies, "audit_policies", dict)
    report = audit("triage", "test", seeds=[0], n_jobs=1)
    budget = {row["scenario"]: row["budget"] for row in report.table}
    assert {row["scenario"] for row in report.table if row["shortened"]} == {"E5"}
    assert budget["E4"] == 320
    assert budget["E5"] < 500
    assert f"E5: shortened to {budget['E5']} steps" in report.text()
