"""Reading the store: what cannot be opened, threads in order, split by time."""

import sqlite3
from contextlib import closing
from itertools import groupby

import pytest

from env_lib.envs.triage.store import contributor_rows, open_store
from env_lib.envs.triage.store_build import build_store
from env_lib.envs.triage.store_schema import StoreError
from env_lib.envs.triage.store_upsert import upsert
from env_lib.envs.triage.threads import load_threads
from tests.envs.triage.made_records import ANN, record


def test_a_missing_store_another_version_and_another_file_say_what_to_do(tmp_path):
    with pytest.raises(StoreError, match="no store at"):
        open_store(tmp_path / "none.db")
    path = build_store([record(1)], tmp_path / "a.db", source="test")
    with closing(sqlite3.connect(path)) as store, store:
        store.execute("UPDATE meta SET value = '0' WHERE key = 'schema_version'")
    with pytest.raises(StoreError, match="schema version 0, expected 1: delete the file and run"):
        open_store(path)
    path.write_bytes(b"no database at all, " * 100)
    with pytest.raises(StoreError, match="schema version none"):
        open_store(path)


def test_threads_are_read_once_and_again_when_the_file_changes(tmp_path):
    path = build_store([record(1)], tmp_path / "a.db", source="test")
    first = load_threads(path)
    assert load_threads(path) is first
    upsert([record(2)], path, source="test")
    assert len(load_threads(path)) == 2


def test_the_split_follows_time_in_every_repository(tmp_path):
    records = [record(n) for n in range(1, 41)] + [record(n, repo="b/c") for n in range(9, 29)]
    threads = load_threads(build_store(records, tmp_path / "a.db", source="test"))
    assert [(x.repo, x.number) for x in threads] == sorted((x.repo, x.number) for x in threads)
    runs = [
        (repo, split, len(list(group)))
        for (repo, split), group in groupby(threads, key=lambda x: (x.repo, x.split))
    ]
    assert runs == [
        ("b/c", "train", 14),
        ("b/c", "val", 3),
        ("b/c", "test", 3),
        ("some/project", "train", 28),
        ("some/project", "val", 6),
        ("some/project", "test", 6),
    ]


def test_a_duplicate_whose_target_is_not_in_the_store_is_not_scored(tmp_path):
    records = [
        record(1),
        record(5, maintainer={"duplicate_of": 1}),
        record(6, maintainer={"duplicate_of": 2}),
    ]
    threads = load_threads(build_store(records, tmp_path / "a.db", source="test"))
    assert [x.truth.scored for x in threads] == [True, True, False]
    assert [x.truth.duplicate_of for x in threads] == [None, 1, 2]


def test_an_author_known_in_two_repositories_is_asked_for_by_repository(tmp_path):
    people = [{"repo": repo, "author": ANN, "threads": 1} for repo in ("a/b", "c/d")]
    path = build_store([record(1)], tmp_path / "a.db", source="test", contributors=people)
    assert contributor_rows(path, "c/d")[ANN]["repo"] == "c/d"
    with pytest.raises(ValueError, match="name one of them"):
        contributor_rows(path)
