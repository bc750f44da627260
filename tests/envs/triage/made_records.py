"""Records and comments for tests of the store, and a look at what its file holds."""

import sqlite3
from contextlib import closing

from env_lib.envs.triage.pseudonyms import pseudonym

ANN, BOB = pseudonym("ann", b"key"), pseudonym("bob", b"key")


def record(number, **fields):
    return {
        "repo": "some/project",
        "number": number,
        "kind": "issue",
        "state": "closed",
        "created_at": "2024-01-01",
        "labels": ["bug", "core"],
        "title": f"Title {number}",
        "body": "Body",
        "category": "bug",
        "has_repro": False,
        "has_versions": False,
        "has_traceback": None,
        "maintainer": {"asked_for_info": False, "answered": True, "fixed_by": 3},
        "evidence": "maintainer answered",
        "state_verified": True,
    } | fields


def comment(number, identity, **fields):
    return {"repo": "some/project", "number": number, "id": identity, "body": "Hm"} | fields


def tables(path):
    with closing(sqlite3.connect(path)) as store:
        names = ("meta", "issues", "labels", "comments", "events", "contributors")
        return {name: store.execute(f"SELECT * FROM {name}").fetchall() for name in names}
