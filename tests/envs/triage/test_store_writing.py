"""Writing the store: same input same content, what is wrong is named, nothing half-written."""

import json
import sqlite3
from contextlib import closing

import pytest

from env_lib.envs.triage.store import contributor_rows, open_store, store_hash
from env_lib.envs.triage.store_build import build_store
from env_lib.envs.triage.store_upsert import upsert
from env_lib.envs.triage.threads import load_threads
from env_lib.envs.triage.truth import truth_of
from tests.envs.triage.made_records import ANN, BOB, comment, record, tables


def test_the_same_input_gives_equal_tables_and_hash_in_any_order(tmp_path):
    records, remarks = [record(2), record(1)], [comment(1, 5), comment(2, 4)]
    one = build_store(records, tmp_path / "a.db", source="test", comments=remarks)
    two = build_store(records[::-1], tmp_path / "b.db", source="test", comments=remarks[::-1])
    assert tables(one) == tables(two)
    assert store_hash(one) == store_hash(two)
    assert one.read_bytes() == two.read_bytes()


def test_building_again_leaves_the_file_untouched_and_a_change_replaces_it(tmp_path):
    path = build_store([record(1)], tmp_path / "a.db", source="test")
    before, content = path.stat(), store_hash(path)
    build_store([record(1)], path, source="test")
    assert path.stat().st_ino == before.st_ino
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    build_store([record(1, title="Other")], path, source="test")
    assert store_hash(path) != content
    assert [p.name for p in tmp_path.iterdir()] == ["a.db"], "no temporary file is left"


def test_a_record_comes_back_as_it_went_in(tmp_path):
    full = record(4, author=ANN, assignees=[BOB], extra={"stars": 3}, note="kept")
    path = build_store([full], tmp_path / "a.db", source="test")
    again = upsert([], path, source="test")
    thread = load_threads(again)[0]
    assert thread.labels == ("bug", "core")
    assert (thread.author, thread.category, thread.created_at) == (ANN, "bug", "2024-01-01")
    assert thread.truth == truth_of(full)
    assert json.loads(tables(path)["issues"][0][-1]) == {"note": "kept", "stars": 3}


def test_an_upsert_adds_replaces_and_run_twice_changes_nothing(tmp_path):
    path = tmp_path / "a.db"
    upsert([record(1), record(2)], path, source="live", comments=[comment(1, 1)])
    person = {"repo": "some/project", "author": ANN, "merged_prs": 2, "reputation": 0.5}
    change = {
        "records": [record(2, title="Newer", labels=["docs"]), record(3)],
        "comments": [comment(1, 1, body="Edited"), comment(3, 2)],
        "events": [{"repo": "some/project", "number": 3, "id": 9, "event": "closed"}],
        "contributors": [person],
    }
    upsert(**change, path=path, source="live")
    before = path.stat()
    upsert(**change, path=path, source="live")
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    found = tables(path)
    assert [row[5] for row in found["issues"]] == ["Title 1", "Newer", "Title 3"]
    assert [row[6] for row in found["comments"]] == ["Edited", "Hm"]
    assert [row[3] for row in found["labels"] if row[1] == 2] == ["docs"]
    assert contributor_rows(path)[ANN]["merged_prs"] == 2


def test_an_upsert_and_a_build_of_the_same_content_have_the_same_hash(tmp_path):
    upsert([record(1)], tmp_path / "a.db", source="x", comments=[comment(1, 1, author=ANN)])
    upsert([record(2)], tmp_path / "a.db", source="x")
    whole = [record(1), record(2)]
    build_store(whole, tmp_path / "b.db", source="x", comments=[comment(1, 1, author=ANN)])
    assert store_hash(tmp_path / "a.db") == store_hash(tmp_path / "b.db")


def test_remarks_on_threads_that_are_not_there_are_left_out(tmp_path):
    path = build_store(
        [record(1)], tmp_path / "a.db", source="test", comments=[comment(1, 1), comment(7, 2)]
    )
    assert [row[1] for row in tables(path)["comments"]] == [1]


def test_foreign_keys_hold_and_the_connection_only_reads(tmp_path):
    path = build_store([record(1)], tmp_path / "a.db", source="test")
    with closing(open_store(path)) as store:
        assert store.execute("PRAGMA foreign_keys").fetchone()[0] == 1
        assert store.execute("PRAGMA foreign_key_check").fetchall() == []
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            store.execute("DELETE FROM labels")


@pytest.mark.parametrize("table", ["labels", "comments", "events"])
def test_what_belongs_to_a_thread_is_found_by_an_index(tmp_path, table):
    path = build_store([record(1)], tmp_path / "a.db", source="test")
    query = f"EXPLAIN QUERY PLAN SELECT * FROM {table} WHERE repo = 'a' AND number = 1"
    with closing(open_store(path)) as store:
        assert "(repo=? AND number=?)" in store.execute(query).fetchone()["detail"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"number": "7"}, "number '7' is not a positive integer"),
        ({"number": True}, "number True is not a positive integer"),
        ({"repo": "project"}, "repo 'project' is not of the form owner/name"),
        ({"kind": "discussion"}, "kind 'discussion'"),
        ({"state": "reopened"}, "state 'reopened'"),
        ({"category": "spam"}, "category 'spam' is not one of"),
        ({"title": None}, "title and body must be strings"),
        ({"created_at": "yesterday"}, "created_at 'yesterday' is no ISO date"),
    ],
)
def test_a_wrong_field_is_named_with_its_value(tmp_path, change, message):
    with pytest.raises(ValueError, match=message):
        build_store([record(1) | change], tmp_path / "a.db", source="test")


def test_a_key_that_comes_twice_and_an_unknown_field_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"issues: \('some/project', 1\) comes twice"):
        build_store([record(1), record(1)], tmp_path / "a.db", source="test")
    with pytest.raises(ValueError, match=r"unknown \['likes'\], the fields are"):
        build_store(
            [record(1)], tmp_path / "a.db", source="test", comments=[comment(1, 1, likes=3)]
        )
