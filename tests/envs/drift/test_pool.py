import re

import pytest

from env_lib.envs.drift import data, making, pool, shared
from env_lib.envs.drift.breakages import breakages
from env_lib.envs.drift.corpus import CorpusError, scripts
from env_lib.envs.drift.primitives import apply
from env_lib.envs.drift.records import TIERS

ROWS = pool.rows()
TASKS = [task for split in pool.SHARES for tier in TIERS for task in pool.pool(split, tier)]
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


def test_repairs_lead_to_the_reference_within_the_attempts_of_an_episode():
    for task in TASKS:
        made = task.source
        for change in task.repairs:
            made = apply(made, change)
        assert made == task.reference != task.source
        assert 1 <= len(task.repairs) <= making.REPAIRS_AT_MOST


def test_each_tier_is_what_it_says():
    silent_rows = {row.id for row in breakages().values() if row.silent}
    for task in TASKS:
        rows = set(task.breakages)
        assert task.silent == (task.tier == "D4")
        if task.tier in ("D1", "D2"):
            assert not task.overlay.changes
            assert not rows & silent_rows
            assert len(rows) == 1 if task.tier == "D1" else len(rows) in (2, 3)
        if task.tier == "D3":
            assert task.overlay.changes
            assert task.source == scripts()[task.script].source
        if task.tier == "D4":
            assert rows <= silent_rows
            assert bool(rows) != bool(task.overlay.changes)


def test_only_the_last_split_has_the_unseen_library_and_real_silent_rows():
    for task in TASKS:
        if task.library == "trl" or (task.silent and task.breakages):
            assert task.split == "test_ood"


def test_ids_are_of_one_task_and_tell_nothing_of_it():
    assert len({task.id for task in TASKS}) == len(TASKS) == len(ROWS)
    assert all(re.fullmatch(r"d[1-4]-[0-9a-f]{10}", task.id) for task in TASKS)


def test_the_file_is_compact_and_a_line_survives_being_written_again():
    assert pool.pool_file().stat().st_size < 2_000_000
    for row, task in zip(ROWS[::25], map(_task_of_line, ROWS[::25]), strict=True):
        assert pool.row_of(task) == row


def _task_of_line(row):
    return next(task for task in TASKS if task.id == row["id"])


def test_an_empty_corner_of_the_pool_is_told():
    with pytest.raises(CorpusError, match="train, val, test, test_ood"):
        pool.pool("dev", "D1")


@pytest.mark.parametrize("tier", TIERS)
def test_a_sample_is_broken_as_given_and_mended_by_its_repairs(tier):
    chosen = [t for s in ("train", "test") for t in pool.pool(s, tier) if _light(t)][:4]
    assert len(chosen) == 4
    for task in chosen:
        assert making.verified(task) == task


def _light(task):
    return task.library in ("pandas", "numpy", "scikit-learn", "pydantic")


def test_what_running_refutes_is_no_task():
    from dataclasses import replace

    task = next(t for t in pool.pool("train", "D1") if _light(t))
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
