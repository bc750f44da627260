"""Adding to a thread store: what has the same key is replaced, all else stays."""

import sqlite3
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

from env_lib.envs.triage.store import open_store, read_table
from env_lib.envs.triage.store_build import build_store
from env_lib.envs.triage.store_schema import layout


def upsert(
    records: Iterable[Mapping[str, Any]],
    path: Path,
    *,
    source: str,
    contributors: Iterable[Mapping[str, Any]] = (),
    comments: Iterable[Mapping[str, Any]] = (),
    events: Iterable[Mapping[str, Any]] = (),
) -> Path:
    """Add to a store, or replace what has the same key; run twice it changes nothing.

    A store that does not exist is built. Raises as `build_store` does.
    """
    path = Path(path)
    new = {
        "issues": list(records),
        "comments": list(comments),
        "events": list(events),
        "contributors": list(contributors),
    }
    merged: dict[str, list[Mapping[str, Any]]] = {}
    with closing(open_store(path) if path.exists() else sqlite3.connect(":memory:")) as store:
        for table, entries in new.items():
            old = read_table(store, table) if path.exists() else []
            key = layout()[table].key
            by_key = {tuple(entry[name] for name in key): entry for entry in [*old, *entries]}
            merged[table] = list(by_key.values())
    return build_store(
        merged["issues"],
        path,
        source=source,
        contributors=merged["contributors"],
        comments=merged["comments"],
        events=merged["events"],
    )
