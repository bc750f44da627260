import re
from dataclasses import replace

import pytest

from env_lib.envs.drift import data, making, pool, shared
from env_lib.envs.drift.breakages import breakages, kind_of
from env_lib.envs.drift.corpus import CorpusError, scripts
from env_lib.envs.drift.forbidden import reaches
from env_lib.envs.drift.primitives import apply
from env_lib.envs.drift.records import TIERS, Change
from env_lib.envs.drift.runner import LIBRARIES
from env_lib.envs.drift.undoing import sayable

ROWS = pool.rows()
POOLS = {(split, tier): pool.pool(split, tier) for split in pool.SHARES for tier in TIERS}
SAMPLE = [task for tasks in POOLS.values() for task in tasks[::8]]
LEAST = {"train": 60, "val": 12, "test": 12, "test_ood": 12}


@pytest.mark.parametrize("split", pool.SHARES)
@pytest.mark.parametrize("tier", TIERS)
def test_every_tier_has_enough_tasks_in_every_split(split, tier):
    assert len(pool.pool(split, tier)) >= LEAST[split]


def test_sides_share_no_script_no_row_and_no_version_step():
    assert shared.faults(ROWS) == []


@pytest.mark.parametrize("what", ["script", "row", "version step"])
def test_a_shared_thing_is_found(what):
    train = next(r for r in ROWS if r["split"] == "train" and r.get("breakages"))
    known = breakages()
    group = known[train["breakages"][0]].group
    other = next(r.id for r in known.values() if r.group == group and r.id != train["breakages"][0])
    planted = {"id": "x", "split": "test", "library": "trl", "script": "new"}
    planted |= {
        "script": {"script": train["script"]},
        "row": {"breakages": train["breakages"]},
        "version step": {"breakages": [other]},
    }[what]
    assert any(text.startswith(f"{what} ") for text in shared.faults([*ROWS, planted]))


def test_an_unknown_row_is_found():
    planted = {"id": "x", "split": "test", "library": "a", "script": "b", "breakages": ["none"]}
    assert "x names the unknown row none" in shared.faults([*ROWS, planted])


def test_repairs_lead_to_the_reference():
    for task in SAMPLE:
        made = task.source
        for change in task.repairs:
            made = apply(made, change)
        assert made == task.reference != task.source


def test_every_repair_fits_the_attempts_and_the_answers_of_an_episode():
    for row in ROWS:
        assert 1 <= len(row["repairs"]) <= making.REPAIRS_AT_MOST
        assert all(sayable(Change(*repair)) for repair in row["repairs"])


def test_each_tier_is_what_it_says():
    silent_rows = {row.id for row in breakages().values() if row.silent}
    for row in ROWS:
        told, overlay = set(row.get("breakages", ())), row.get("overlay", [])
        assert row["silent"] == (row["tier"] == "D4")
        if row["tier"] in ("D1", "D2"):
            assert not overlay
            assert not told & silent_rows
            assert len(told) == 1 if row["tier"] == "D1" else len(told) in (2, 3)
        if row["tier"] == "D3":
            assert len(overlay) == 1
            assert not told
        if row["tier"] == "D4":
            assert told <= silent_rows
            assert bool(told) != bool(overlay)


def test_a_script_under_an_overlay_is_the_seed_script_itself():
    drifted = [task for task in SAMPLE if task.overlay.changes]
    assert drifted
    assert all(task.source == scripts()[task.script].source for task in drifted)


def test_only_the_last_split_has_the_unseen_library_and_real_silent_rows():
    for row in ROWS:
        if row["library"] == "trl" or (row["silent"] and "breakages" in row):
            assert row["split"] == "test_ood"


def test_tests_meet_no_drift_that_train_meets():
    def met(sides):
        return {
            (change[1], change[2])
            for row in ROWS if row["split"] in sides
            for change in row.get("overlay", ())
        }  # fmt: skip

    assert met({"train"})
    assert not met({"train"}) & met({"test", "test_ood"})


def test_overlays_are_of_libraries_that_scripts_may_import():
    targets = [change[1] for row in ROWS for change in row.get("overlay", ())]
    assert {target.partition(".")[0] for target in targets} <= set(LIBRARIES)


def test_ids_are_of_one_task_and_tell_nothing_of_it():
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert sum(map(len, POOLS.values())) == len(ROWS)
    assert all(re.fullmatch(r"d[1-4]-[0-9a-f]{10}", row["id"]) for row in ROWS)


def test_the_file_is_compact_and_a_line_survives_being_written_again():
    assert pool.pool_file().stat().st_size < 2_000_000
    lines = {row["id"]: row for row in ROWS}
    for task in SAMPLE[::4]:
        assert pool.row_of(task) == lines[task.id]


def test_an_empty_corner_of_the_pool_is_told():
    with pytest.raises(CorpusError, match="train, val, test, test_ood"):
        pool.pool("dev", "D1")


@pytest.mark.parametrize("tier", TIERS)
def test_a_sample_is_broken_as_given_and_mended_by_its_repairs(tier):
    for split in ("train", "test"):
        task = _light(split, tier)
        assert making.verified(task) == task


def _light(split, tier):
    """Return the first task of a split that needs no large library."""
    light = ("pandas", "numpy", "scikit-learn", "pydantic")
    lines = {row["id"]: row for row in ROWS if row["library"] in light}
    return next(task for task in POOLS[split, tier][:40] if task.id in lines)


def test_what_running_refutes_is_no_task():
    task = _light("train", "D1")
    assert making.verified(replace(task, source=task.reference)) is None
    assert making.verified(replace(task, expected=(1, 2, 3))) is None
    assert making.verified(replace(task, silent=True)) is None
    assert making.verified(replace(task, repairs=())) is None
    same = (task.expected[0],) * 3
    assert making.verified(replace(task, expected=same)) is None


def test_the_tables_count_every_task():
    splits = data.tables()["splits"]
    assert splits["scored"].sum() == len(ROWS)
    assert data.tables()["truth"].to_numpy().sum() == len(ROWS)


def test_a_task_has_the_kind_of_its_rows_or_of_its_overlay():
    for row in ROWS:
        wanted = kind_of(row["breakages"]) if "breakages" in row else row["overlay"][0][0]
        assert row["kind"] == wanted, row["id"]
    assert kind_of(["np-infty", "np-infty"]) == breakages()["np-infty"].kind


@pytest.mark.parametrize("tasks", POOLS.values(), ids=map(str, POOLS))
def test_references_do_nothing_that_is_forbidden_even_beside_the_broken_script(tasks):
    for task in tasks[::4]:
        assert reaches(task.reference, task.source) == "", task.id


def test_a_smaller_pool_does_not_take_the_place_of_a_larger(monkeypatch):
    monkeypatch.setattr(data.pool, "made", lambda n, seed: iter(()))
    with pytest.raises(
        ValueError, match=f"0 tasks were made and the pool holds {data.pool_size()}"
    ):
        data.generate(1000)
