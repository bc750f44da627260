"""The check that every record of the thread store passes, whoever brings it."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from env_lib.envs.triage.store_schema import KINDS, STATES
from env_lib.envs.triage.truth import LABELS


def check_record(record: Mapping[str, Any], where: str = "") -> None:
    """Raise ValueError, beginning with `where`, for the first field that a record has wrong."""
    needed = ("repo", "number", "kind", "state", "title")
    wrong = ""
    if missing := [key for key in needed if key not in record]:
        wrong = f"field {missing[0]!r} is missing"
    elif not re.fullmatch(r"[\w.-]+/[\w.-]+", str(record["repo"])):
        wrong = f"repo {record['repo']!r} is not of the form owner/name"
    elif type(record["number"]) is not int or record["number"] < 1:
        wrong = f"number {record['number']!r} is not a positive integer"
    elif record["kind"] not in KINDS or record["state"] not in STATES:
        wrong = f"kind {record['kind']!r}, state {record['state']!r} not of {KINDS}, {STATES}"
    elif record.get("category") not in (None, *LABELS):
        wrong = f"category {record['category']!r} is not one of {LABELS}"
    elif not isinstance(record["title"], str) or not isinstance(record.get("body") or "", str):
        wrong = "title and body must be strings"
    elif not _is_date(record.get("created_at")):
        wrong = f"created_at {record['created_at']!r} is no ISO date, as 2024-05-31, nor null"
    if wrong:
        name = f"{record.get('repo')}#{record.get('number')}"
        raise ValueError(f"{where or name}: {wrong}")


def _is_date(value: Any) -> bool:
    """None or an ISO date or date and time."""
    try:
        return value is None or bool(datetime.fromisoformat(value))
    except (TypeError, ValueError):
        return False
