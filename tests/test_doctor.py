"""What the doctor says of the sandbox: each layer tried, and nothing called well that is not."""

import pytest

from env_lib import doctor

FULL = {
    "system": "Linux x86_64", "monty": "not installed", "tier": "full", "session": True,
    "private_folder": True, "no_new_privileges": True, "rlimit_cpu": True, "rlimit_as": True,
    "rlimit_nproc": True, "landlock": "ABI 3", "seccomp": True, "network": True,
}  # fmt: skip


def rows(monkeypatch, found):
    monkeypatch.setattr("env_lib.sandbox.layers", lambda: dict(found), raising=False)
    return {row["what"]: row for row in doctor._sandbox()}


def test_a_sandbox_that_does_not_start_is_needed_and_not_ok(monkeypatch):
    told = {"system": "Linux x86_64", "tier": "none", "failure": "the zygote did not start: EPERM"}
    (row,) = rows(monkeypatch, told).values()
    assert (row["ok"], row["needed"]) == (False, True)
    assert row["found"] == "does not start: the zygote did not start: EPERM"
    assert row["how"]


def test_every_layer_that_stands_is_ok(monkeypatch):
    found = rows(monkeypatch, FULL)
    assert all(row["ok"] for row in found.values())
    assert found["sandbox"]["found"].startswith("tier full: system (Linux x86_64), ")
    assert found["sandbox, limits of resources"]["found"] == "cpu, as, nproc"


@pytest.mark.parametrize(
    ("layer", "row", "shown"),
    [
        ("no_new_privileges", "sandbox, no new privileges", "no"),
        ("private_folder", "sandbox, private folder", "no"),
        ("session", "sandbox, own session, ended as a whole", "no"),
        ("rlimit_as", "sandbox, limits of resources", "cpu, nproc; not here: as"),
    ],
)
def test_a_layer_that_is_not_there_has_a_row_that_is_not_ok(monkeypatch, layer, row, shown):
    found = rows(monkeypatch, {**FULL, layer: False})
    assert [what for what, told in found.items() if not told["ok"]] == [row]
    assert (found[row]["found"], found[row]["needed"]) == (shown, False)


def test_a_tier_without_walls_is_not_ok_and_does_not_stop_the_rest(monkeypatch):
    row = rows(monkeypatch, {**FULL, "tier": "process", "seccomp": False})["sandbox"]
    assert (row["ok"], row["needed"]) == (False, False)
    assert row["found"].endswith("not here: seccomp")
