"""The tables of the thread store, and the layout that is read from their schema."""

import sqlite3
from contextlib import closing
from functools import lru_cache
from typing import Any, NamedTuple

SCHEMA_VERSION = 1
KINDS = ("issue", "pull_request")
STATES = ("open", "closed", "merged")

Rows = dict[str, list[tuple[Any, ...]]]

MAINTAINER_FIELDS = (
    *("asked_for_info", "answered", "duplicate_of"),
    *("fixed_by", "closed_as", "merged"),
)
SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE issues (
    repo TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, state TEXT NOT NULL,
    created_at TEXT, title TEXT NOT NULL, body TEXT NOT NULL, category TEXT, author TEXT,
    has_repro BOOLEAN, has_versions BOOLEAN, has_traceback BOOLEAN,
    asked_for_info BOOLEAN, answered BOOLEAN, duplicate_of INTEGER, fixed_by INTEGER,
    closed_as TEXT, merged BOOLEAN, assignees TEXT NOT NULL, evidence TEXT NOT NULL,
    state_verified BOOLEAN NOT NULL, extra TEXT NOT NULL,
    PRIMARY KEY (repo, number)) WITHOUT ROWID;
CREATE TABLE labels (
    repo TEXT NOT NULL, number INTEGER NOT NULL, position INTEGER NOT NULL, label TEXT NOT NULL,
    PRIMARY KEY (repo, number, position),
    FOREIGN KEY (repo, number) REFERENCES issues) WITHOUT ROWID;
CREATE TABLE comments (
    repo TEXT NOT NULL, number INTEGER NOT NULL, id INTEGER NOT NULL, author TEXT,
    association TEXT, created_at TEXT, body TEXT NOT NULL,
    PRIMARY KEY (repo, number, id), FOREIGN KEY (repo, number) REFERENCES issues) WITHOUT ROWID;
CREATE TABLE events (
    repo TEXT NOT NULL, number INTEGER NOT NULL, id INTEGER NOT NULL, author TEXT,
    event TEXT NOT NULL, label TEXT, created_at TEXT, detail TEXT,
    PRIMARY KEY (repo, number, id), FOREIGN KEY (repo, number) REFERENCES issues) WITHOUT ROWID;
CREATE TABLE contributors (
    repo TEXT NOT NULL, author TEXT NOT NULL, merged_prs INTEGER, threads INTEGER,
    first_seen TEXT, reputation REAL, PRIMARY KEY (repo, author)) WITHOUT ROWID;
CREATE INDEX issues_by_author ON issues (repo, author);
"""


class StoreError(RuntimeError):
    """A store file that cannot be used as it is; the message says what to run."""


class Table(NamedTuple):
    """Columns, primary key and BOOLEAN columns of a table."""

    columns: tuple[str, ...]
    key: tuple[str, ...]
    flags: tuple[str, ...]


@lru_cache(maxsize=1)
def layout() -> dict[str, Table]:
    """Columns, primary key and BOOLEAN columns of every table but `meta`, from the schema."""
    tables = {}
    with closing(sqlite3.connect(":memory:")) as store:
        store.executescript(SCHEMA)
        for table in ("issues", "labels", "comments", "events", "contributors"):
            info = store.execute(f"PRAGMA table_info({table})").fetchall()
            key = sorted((place, name) for _, name, _, _, _, place in info if place)
            tables[table] = Table(
                columns=tuple(name for _, name, *_ in info),
                key=tuple(name for _, name in key),
                flags=tuple(name for _, name, kind, *_ in info if kind == "BOOLEAN"),
            )
    return tables
