"""The thread store of the triage duty: one SQLite file of facts, and how it is opened and read.

World: threads of public repositories, from the bundled facts (`facts.py`), a live pull
(`github.py`) or an imported table (`importer.py`). All of them enter through `build_store` or
`upsert`, which check every record, scrub every text and refuse an author that is not a pseudonym.
The store holds facts alone; truth (`truth.py`) and split are computed when threads are loaded
(`threads.py`), so a changed rule needs no new store.

The default store is built anew from the bundled facts when it is missing, or when it was built from
them and they have changed since.
"""

import json
import sqlite3
from collections import defaultdict
from contextlib import closing
from pathlib import Path
from typing import Any

from env_lib.envs.triage.facts import BUNDLED, bundled_records, default_store, origin_hash
from env_lib.envs.triage.store_build import build_store, read_meta
from env_lib.envs.triage.store_schema import MAINTAINER_FIELDS, SCHEMA_VERSION, StoreError, layout


def open_store(path: Path | None = None) -> sqlite3.Connection:
    """A read-only connection whose rows answer to names; without a path, to the default store.

    The default store is built from the bundled facts where it is missing or holds older ones.
    Raises StoreError for a missing file, another schema version or a file that is no store.
    """
    target = Path(path) if path is not None else default_store()
    if path is None and (not target.exists() or _stale(target)):
        build_store(bundled_records(), target, source=BUNDLED, origin=origin_hash())
    if not target.is_file():
        raise StoreError(f"no store at {target}: build_store, import_store or a pull writes one")
    version = read_meta(target).get("schema_version", "none")
    if version != str(SCHEMA_VERSION):
        raise StoreError(
            f"{target} has schema version {version}, expected {SCHEMA_VERSION}: delete the file "
            "and run notebook 01_data_pull (the bundled facts are built by themselves), or import "
            "or pull again"
        )
    store = sqlite3.connect(f"{target.resolve().as_uri()}?mode=ro", uri=True)
    store.row_factory = sqlite3.Row
    store.execute("PRAGMA foreign_keys = ON")
    return store


def _stale(path: Path) -> bool:
    """Built from bundled facts of this schema that have changed since."""
    meta = read_meta(path)
    ours = meta.get("source") == BUNDLED and meta.get("schema_version") == str(SCHEMA_VERSION)
    return ours and meta.get("origin") != origin_hash()


def read_table(store: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    """The rows of a table as `build_store` takes them; issues come back as whole records."""
    order = ", ".join(layout()[table].key)
    rows = [dict(row) for row in store.execute(f"SELECT * FROM {table} ORDER BY {order}")]
    if table != "issues":
        return rows
    flags = layout()["issues"].flags
    labels = defaultdict(list)
    for repo, number, _, label in store.execute("SELECT * FROM labels ORDER BY 1, 2, 3"):
        labels[repo, number].append(label)
    for row in rows:
        row |= {key: None if row[key] is None else bool(row[key]) for key in flags}
        row["labels"] = labels[row["repo"], row["number"]]
        row["maintainer"] = {key: row.pop(key) for key in MAINTAINER_FIELDS}
        row |= {key: json.loads(row[key]) for key in ("assignees", "extra")}
    return rows


def store_hash(path: Path | None = None) -> str:
    """Hash of a store's content (hex sha256), which tables record beside their numbers."""
    with closing(open_store(path)) as store:
        found = store.execute("SELECT value FROM meta WHERE key = 'content_hash'").fetchone()
    return str(found["value"])


def contributor_rows(
    path: Path | None = None, repo: str | None = None
) -> dict[str, dict[str, Any]]:
    """Contributors by pseudonym, empty for the bundled facts.

    Each holds repo, author, merged_prs, threads, first_seen, and the hidden reputation in [0, 1].
    Raises ValueError where somebody is known in several repositories and `repo` names none.
    """
    with closing(open_store(path)) as store:
        rows = [row for row in read_table(store, "contributors") if repo in (None, row["repo"])]
    by_author = {row["author"]: row for row in rows}
    if len(by_author) < len(rows):
        raise ValueError(f"repo={repo}: authors known in several repositories, name one of them")
    return by_author
