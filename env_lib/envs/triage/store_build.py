"""Writing a thread store: under a temporary name, renamed, and untouched where it is equal."""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from env_lib.envs.triage.new_file import new_file
from env_lib.envs.triage.store_rows import digest, tables
from env_lib.envs.triage.store_schema import SCHEMA, SCHEMA_VERSION, Rows, layout


def build_store(
    records: Iterable[Mapping[str, Any]],
    path: Path,
    *,
    source: str,
    contributors: Iterable[Mapping[str, Any]] = (),
    comments: Iterable[Mapping[str, Any]] = (),
    events: Iterable[Mapping[str, Any]] = (),
    origin: str = "",
) -> Path:
    """Write a store of exactly these records; the same input leaves an equal file untouched.

    `source` names where they come from, `origin` is a hash of the files they were read from.
    Comments and events of threads that are not among the records are left out. Raises ValueError
    for a wrong record, a key that comes twice, and an author that is not a pseudonym.
    """
    others = {"comments": comments, "events": events, "contributors": contributors}
    rows = tables(records, others)
    meta = {
        "schema_version": str(SCHEMA_VERSION),
        "source": source,
        "origin": origin,
        "content_hash": digest(rows),
    }
    path = Path(path)
    if read_meta(path) == meta:
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = new_file(path)
    try:
        _write(temporary, rows, meta)
        temporary.chmod(0o644)  # another user may run what one user built
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
    return path


def _write(path: Path, rows: Rows, meta: Mapping[str, str]) -> None:
    with closing(sqlite3.connect(path)) as store, store:
        for pragma in ("foreign_keys = ON", "journal_mode = OFF", "synchronous = OFF"):
            store.execute(f"PRAGMA {pragma}")
        store.executescript(SCHEMA)
        store.executemany("INSERT INTO meta VALUES (?, ?)", sorted(meta.items()))
        for table, (columns, _, _) in layout().items():
            marks = ", ".join("?" * len(columns))
            store.executemany(f"INSERT INTO {table} VALUES ({marks})", rows[table])


def read_meta(path: Path) -> dict[str, str]:
    """The `meta` table, empty where the file is missing or no store of ours."""
    if not path.is_file():
        return {}
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as store:
            return dict(store.execute("SELECT key, value FROM meta"))
    except sqlite3.DatabaseError:
        return {}
