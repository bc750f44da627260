"""Import of an issue export, CSV or JSONL: the shape of public issue-classification sets.

Needed columns: repo, created_at, label, title, body. `number` is used where it is there; otherwise
rows are numbered by `created_at` in each repository, from 1, so that the split by time holds. Every
other column is kept in `extra`, with the logins of the columns that PEOPLE matches, also inside
nested objects, replaced by their pseudonyms. A `body` may be null: an issue without a text.

Not covered: states, comments and maintainers' answers. A row is an open issue whose label is the
truth, and what it says of reproduction, versions and traceback is unknown.
"""

import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from env_lib.envs.triage.pseudonyms import ingestion_key, pseudonym
from env_lib.envs.triage.store_build import build_store
from env_lib.envs.triage.truth import LABELS, type_label

COLUMNS = ("repo", "created_at", "label", "title", "body")
AUTHOR_COLUMNS = ("author", "user", "login")
"""Columns that name who opened the issue, the first that does so decides."""
PEOPLE = re.compile(
    r"actor|assignees?|creator|reporter|(closed|created|merged|opened|reported)_by"
    r"|.*(login|author|user(name)?)s?",
    re.I,
)
"""Names of columns, matched as a whole, that hold people."""

Row = Mapping[str, Any]


def import_table(
    path: Path | str, *, label_map: Mapping[str, str] | None = None, key: bytes | None = None
) -> list[dict[str, Any]]:
    """Records of an export, by repository and number, ready for `build_store`.

    `label_map` translates label values to LABELS and goes before the built-in reading of labels;
    `key` is that of `pseudonym`, by default `ingestion_key()`. Raises ValueError that names the
    file, the row (1 is the first below the header) and the value that is wrong.
    """
    path = Path(path)
    if wrong := [value for value in (label_map or {}).values() if value not in LABELS]:
        raise ValueError(f"label_map gives {wrong[0]!r}, which is not one of {LABELS}")
    by_repo = defaultdict(list)
    for where, row in _rows(path):
        record = _record(row, where, label_map or {})
        record |= _extra_and_author(row, key)
        by_repo[record["repo"]].append(record)
    for records in by_repo.values():
        _number(records)
    every = (record for _, group in sorted(by_repo.items()) for record in group)
    return sorted(every, key=lambda record: (record["repo"], record["number"]))


def import_store(
    table: Path | str, path: Path, *, label_map: Mapping[str, str] | None = None
) -> Path:
    """Build the store at `path` from an export; raises as `import_table` does."""
    return build_store(import_table(table, label_map=label_map), path, source="import")


def _rows(path: Path) -> Iterator[tuple[str, Row]]:
    """Rows with the name for messages; raises for another kind of file or a missing column."""
    readers = {".csv": _csv_rows, ".jsonl": _json_rows}
    if path.suffix.lower() not in readers:
        raise ValueError(f"{path.name}: expected a name that ends in .csv or .jsonl")
    for number, row in enumerate(readers[path.suffix.lower()](path), 1):
        where = f"{path.name}, row {number}"
        if missing := [column for column in COLUMNS if column not in row]:
            raise ValueError(f"{where}: column {missing[0]!r} is missing, there are {sorted(row)}")
        if null := [column for column in COLUMNS if column != "body" and row[column] is None]:
            raise ValueError(f"{where}: column {null[0]!r} is null, which body alone may be")
        yield where, row


def _csv_rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restkey="unnamed", strict=True)
        try:
            present = reader.fieldnames or ()
            if missing := [column for column in COLUMNS if column not in present]:
                found = ", ".join(present) or "none"
                raise ValueError(
                    f"{path.name}: column {missing[0]!r} is missing, there are: {found}"
                )
            for row in reader:  # a short row has None where its last columns are missing
                yield {name: value for name, value in row.items() if value is not None}
        except csv.Error as error:
            where = f"{path.name}, after line {reader.line_num}"
            raise ValueError(f"{where}: not CSV ({error})") from error


def _json_rows(path: Path) -> Iterator[Row]:
    for line, text in enumerate(path.read_text("utf-8-sig").split("\n"), 1):
        if not text.strip():
            continue
        try:
            row = json.loads(text)
        except json.JSONDecodeError as error:
            raise ValueError(f"{path.name}, line {line}: not JSON ({error})") from error
        if not isinstance(row, dict):
            raise ValueError(f"{path.name}, line {line}: {text[:40]!r} is not a JSON object")
        yield row


def _record(row: Row, where: str, label_map: Mapping[str, str]) -> dict[str, Any]:
    raw = str(row["label"]).strip()
    label = label_map.get(raw) or (raw if raw in LABELS else type_label(raw))
    if label is None:
        known = ", ".join([*LABELS, *label_map])
        raise ValueError(
            f"{where}: label {raw!r} is not known, it can be {known}; or use label_map"
        )
    return {
        "repo": str(row["repo"]).strip(),
        "number": _whole(row["number"], where) if row.get("number") not in (None, "") else None,
        "kind": "issue",
        "state": "open",
        "created_at": _date(str(row["created_at"]).strip(), where),
        "labels": [label],
        "title": str(row["title"]),
        "body": "" if row["body"] is None else str(row["body"]),
        "category": label,
        "evidence": "imported label",
        "state_verified": False,
    }


def _whole(value: Any, where: str) -> int:
    if not str(value).strip().isdecimal():
        raise ValueError(f"{where}: number {value!r} is not a whole number")
    return int(value)


def _date(value: str, where: str) -> str:
    try:
        datetime.fromisoformat(value)
    except ValueError as error:
        raise ValueError(f"{where}: created_at {value!r} is no ISO date, as 2024-05-31") from error
    return value


def _moment(record: Row) -> datetime:
    moment = datetime.fromisoformat(record["created_at"])
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _extra_and_author(row: Row, key: bytes | None) -> dict[str, Any]:
    """The columns that the record has no place for, and `author` where the row names one."""
    others = (name for name in row if name not in (*COLUMNS, "number"))
    extra = {name: _without_logins(name, row[name], key) for name in others}
    named = [extra[name] for name in AUTHOR_COLUMNS if extra.get(name)]
    author = {"author": named[0]} if named and isinstance(named[0], str) else {}
    return {"extra": extra} | author


def _without_logins(name: str, value: Any, key: bytes | None) -> Any:
    """The value of a column, people in it replaced: a login, a list, or an object with `login`."""
    if value is None or not str(value).strip():
        return value
    if isinstance(value, list):
        return [_without_logins(name, item, key) for item in value]
    if PEOPLE.fullmatch(name):
        login = value.get("login", value) if isinstance(value, Mapping) else value
        return pseudonym(str(login), key or ingestion_key())
    if isinstance(value, Mapping):
        return {inner: _without_logins(inner, part, key) for inner, part in value.items()}
    return value


def _number(records: list[dict[str, Any]]) -> None:
    """Give numbers by time where a repository's rows have none; a mixture raises."""
    without = [record for record in records if record["number"] is None]
    if without and len(without) < len(records):
        raise ValueError(f"{records[0]['repo']}: {len(without)} of {len(records)} have no number")
    for number, record in enumerate(sorted(without, key=_moment), 1):
        record["number"] = number
