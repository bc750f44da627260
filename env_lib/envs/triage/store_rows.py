"""Records -> the rows of the thread store: checked, scrubbed, sorted by key, and their hash.

This is the gate that private data cannot pass: every text is scrubbed here, and an author or
assignee that is not a pseudonym raises.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from env_lib.envs.triage.pseudonyms import checked_person
from env_lib.envs.triage.scrub import scrub
from env_lib.envs.triage.store_records import check_record
from env_lib.envs.triage.store_schema import MAINTAINER_FIELDS, Rows, layout


def _clean(value: Any) -> Any:
    """A JSON value with every text in it scrubbed, keys of objects included."""
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, Mapping):
        return {scrub(str(key)): _clean(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_clean(item) for item in value]
    return value


def _issue_row(record: Mapping[str, Any]) -> tuple[Any, ...]:
    check_record(record)
    where = f"{record['repo']}#{record['number']}"
    columns, _, flags = layout()["issues"]
    row = {key: record.get(key) for key in columns}
    row |= {key: _clean(row[key]) for key in ("title", "body", "evidence")}
    row |= {key: _clean((record.get("maintainer") or {}).get(key)) for key in MAINTAINER_FIELDS}
    row |= {key: None if (flag := row[key]) is None else int(flag) for key in flags}
    known = {*columns, "labels", "maintainer"}
    extra = dict(record.get("extra") or {}) | {k: v for k, v in record.items() if k not in known}
    row["author"] = checked_person(record.get("author"), where)
    row["assignees"] = _json([checked_person(x, where) for x in record.get("assignees") or ()])
    row["extra"] = _json(_clean(extra))
    row["body"], row["evidence"] = row["body"] or "", row["evidence"] or ""
    row["state_verified"] = 1 if row["state_verified"] is None else row["state_verified"]
    return tuple(row[key] for key in columns)


def _plain_row(table: str, entry: Mapping[str, Any]) -> tuple[Any, ...]:
    columns, key, _ = layout()[table]
    where = f"{table} entry {[entry.get(name) for name in key]}"
    if unknown := set(entry) - set(columns):
        raise ValueError(f"{where}: unknown {sorted(unknown)}, the fields are {columns}")
    row = {name: _clean(entry.get(name)) for name in columns} | {"repo": entry["repo"]}
    row["author"] = checked_person(entry.get("author"), where)
    return tuple(row[name] for name in columns)


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def _sorted_once(table: str, rows: Iterable[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rows by key; a key that comes twice raises."""
    columns, names, _ = layout()[table]
    at = [columns.index(name) for name in names]
    by_key: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for row in rows:
        key = tuple(row[i] for i in at)
        if key in by_key:
            raise ValueError(f"{table}: {key} comes twice, each is to come once")
        by_key[key] = row
    return [by_key[key] for key in sorted(by_key)]


def tables(
    records: Iterable[Mapping[str, Any]], others: Mapping[str, Iterable[Mapping[str, Any]]]
) -> Rows:
    """The rows of all tables in their order; remarks on threads that are not there are left out."""
    records = list(records)
    rows: Rows = {"issues": _sorted_once("issues", map(_issue_row, records))}
    rows["labels"] = sorted(
        (record["repo"], record["number"], position, scrub(label))
        for record in records
        for position, label in enumerate(record.get("labels") or ())
    )
    there = {row[:2] for row in rows["issues"]}
    for table, entries in others.items():
        kept = (
            entry
            for entry in entries
            if table == "contributors" or (entry["repo"], entry["number"]) in there
        )
        rows[table] = _sorted_once(table, (_plain_row(table, entry) for entry in kept))
    return rows


def digest(rows: Rows) -> str:
    """Hash of all tables' rows in their order (hex sha256)."""
    state = hashlib.sha256()
    for table in layout():
        state.update(_json([table, rows[table]]).encode())
    return state.hexdigest()
