"""Import of an issue export, CSV or JSONL: the shape of public issue-classification sets.

Needed columns: repo, created_at, label, title, body. `number` is used where it is there; otherwise
rows are numbered by `created_at` in each repository, from 1, so that the split by time holds. A
login in one of PEOPLE_COLUMNS is replaced by its pseudonym; every other column is kept in `extra`.

Not covered: states, comments and maintainers' answers. A row is an open issue whose label is the
truth, and what it says of reproduction, versions and traceback is unknown.
"""

import csv
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from env_lib.envs.triage.pseudonyms import ingestion_key, pseudonym
from env_lib.envs.triage.store_build import build_store
from env_lib.envs.triage.truth import LABELS, type_label

COLUMNS = ("repo", "created_at", "label", "title", "body")
PEOPLE_COLUMNS = ("author", "login", "user", "username", "actor", "assignee", "closed_by")

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
        record["extra"] = _without_people(record, row, key)
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
        if missing := [column for column in COLUMNS if row.get(column) is None]:
            raise ValueError(f"{where}: column {missing[0]!r} is missing, there are {sorted(row)}")
        yield where, row


def _csv_rows(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file, restkey="unnamed", strict=True)
        present = reader.fieldnames or ()
        if missing := [column for column in COLUMNS if column not in present]:
            found = ", ".join(present) or "none"
            raise ValueError(f"{path.name}: column {missing[0]!r} is missing, there are: {found}")
        yield from reader


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
        "body": str(row["body"]),
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


def _without_people(record: dict[str, Any], row: Row, key: bytes | None) -> dict[str, Any]:
    """The columns that the record has no place for; sets `author` where the row names one."""
    extra = {name: row[name] for name in row if name not in (*COLUMNS, "number")}
    for name in PEOPLE_COLUMNS:
        if extra.get(name):
            key = key or ingestion_key()
            extra[name] = pseudonym(str(extra[name]), key)
            record.setdefault("author", extra[name])
    return extra


def _number(records: list[dict[str, Any]]) -> None:
    """Give numbers by time where a repository's rows have none; a mixture raises."""
    without = [record for record in records if record["number"] is None]
    if without and len(without) < len(records):
        raise ValueError(f"{records[0]['repo']}: {len(without)} of {len(records)} have no number")
    for number, record in enumerate(sorted(without, key=_moment), 1):
        record["number"] = number
