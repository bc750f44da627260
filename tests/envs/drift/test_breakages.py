import json

import pytest

from env_lib.envs.drift import aging, splits
from env_lib.envs.drift.breakages import breakages, repairable
from env_lib.envs.drift.corpus import CorpusError, folder
from env_lib.envs.drift.primitives import apply
from env_lib.envs.drift.recover import arrived
from env_lib.runs import read_json, read_jsonl

ROWS = breakages()
FORMS = read_json(folder() / "forms.json")


def test_rows_without_a_successor_are_facts_and_no_tasks():
    raw = {row["id"]: row for row in read_jsonl(folder() / "breakages.jsonl")}
    assert set(ROWS) == set(raw)
    kept = {row.id for row in repairable()}
    assert kept == {name for name, row in raw.items() if row["fix"] == "real"}
    assert len(ROWS) - len(kept) == 26


def test_a_step_is_the_release_that_ran_and_the_one_that_failed():
    assert ROWS["np-trapz"].group == ("numpy", "2.3.5->2.4.6")
    assert ROWS["torch-six"].step == ""


def test_a_silent_row_has_no_error_and_a_loud_one_has_one():
    for row in ROWS.values():
        assert row.silent == (row.error_type == "")


@pytest.mark.parametrize("name", sorted(FORMS)[::9])
@pytest.mark.parametrize("way", ["forwards", "backwards"])
def test_the_changes_of_a_row_lead_from_one_form_to_the_other(name, way):
    row = ROWS[name]
    start, end = (row.old, row.new) if way == "forwards" else (row.new, row.old)
    changes = aging.forwards(row) if way == "forwards" else aging.backwards(row)
    if not changes:
        assert way not in FORMS[name]
        return
    for change in changes:
        start = apply(start, change)
    assert arrived(start, end)


def test_forms_and_steps_are_of_rows_that_are_there():
    assert set(FORMS) <= set(ROWS)
    groups = {row.group for row in repairable()}
    assert set(splits.GROUPS) <= groups


def test_the_unseen_library_and_silent_rows_are_in_the_last_split_alone():
    for row in repairable():
        home = splits.split_of(row)
        if row.library == splits.UNSEEN:
            assert home == "test_ood"
        if row.silent:
            assert home in ("", "test_ood")


def row(**more):
    raw = read_jsonl(folder() / "breakages.jsonl")[0]
    return {**raw, **more}


@pytest.mark.parametrize(
    ("rows", "word"),
    [
        ([row(broken_since="1.0 to 2.0")], "is no `>1.0,<=2.0`"),
        ([row(), row()], "is there twice"),
        ([row(old_snippet="print(")], "acc-autocast-cache"),
        ([{k: v for k, v in row().items() if k != "kind"}], "'kind' missing"),
    ],
    ids=["step", "twice", "no Python", "field"],
)
def test_a_row_that_cannot_be_used_is_refused_by_name(tmp_path, rows, word):
    path = tmp_path / "rows.jsonl"
    path.write_text("\n".join(json.dumps(one) for one in rows))
    with pytest.raises(CorpusError, match=word):
        breakages(path)
