"""The raw rows of a pull, indexed by thread, and who stands behind a row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from env_lib.envs.triage import github_text as said
from env_lib.envs.triage.github_people import MAINTAINERS
from env_lib.envs.triage.pseudonyms import pseudonym

Row = Mapping[str, Any]

EVENTS_KEPT = frozenset(
    {"closed", "reopened", "merged", "labeled", "unlabeled", "assigned", "unassigned",
     "marked_as_duplicate", "unmarked_as_duplicate", "locked"}
)  # fmt: skip


@dataclass
class Pulled:
    """The rows of one pull, indexed by thread number."""

    repo: str
    issues: Sequence[Row]
    comments: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))
    events: dict[int, list[Row]] = field(default_factory=lambda: defaultdict(list))
    merged: set[int] = field(default_factory=set)
    fixes: dict[int, int] = field(default_factory=dict)
    """Issue number -> number of the merged pull request that closed it."""
    merge_commits: dict[str, int] = field(default_factory=dict)
    """Merge commit -> pull request."""


def logins_of(rows: Mapping[str, Sequence[Row]]) -> set[str]:
    """Every login that occurs in the rows, as a person or in a fork's name."""
    return {
        person["login"]
        for listing in rows.values()
        for row in listing
        for person in (
            row.get("user"), row.get("actor"), row.get("assignee"), row.get("closed_by"),
            row.get("merged_by"), *(row.get("assignees") or ()),
            *(row.get("requested_reviewers") or ()), (row.get("head") or {}).get("user"),
        )
        if person
    }  # fmt: skip


def index_rows(repo: str, rows: Mapping[str, Sequence[Row]]) -> Pulled:
    """Group the rows by thread; remarks on threads that were not pulled are left out."""
    pulled = Pulled(repo, sorted(rows["issues"], key=lambda row: row["number"]))
    known = {row["number"] for row in pulled.issues}
    for row in sorted(rows["comments"], key=lambda row: (row["created_at"], row["id"])):
        if (number := int(row["issue_url"].rpartition("/")[2])) in known:
            pulled.comments[number].append(row)
    for row in sorted(rows["events"], key=lambda row: (row["created_at"], row["id"])):
        thread = int((row.get("issue") or {}).get("number", 0))
        if thread in known and row["event"] in EVENTS_KEPT:
            pulled.events[thread].append(row)
    _index_merges(pulled, rows["pulls"])
    return pulled


def _index_merges(pulled: Pulled, pull_rows: Sequence[Row]) -> None:
    """Which pull requests were merged, and what they closed; either listing tells of a merge."""
    merged_issues = (
        row for row in pulled.issues if (row.get("pull_request") or {}).get("merged_at")
    )
    merged_pulls = [row for row in pull_rows if row.get("merged_at")]
    for row in (*merged_issues, *merged_pulls):
        pulled.merged.add(row["number"])
        text = f"{row['title']}\n{row.get('body') or ''}"
        for target in said.numbers(said.CLOSES, text, pulled.repo):
            pulled.fixes[target] = max(row["number"], pulled.fixes.get(target, 0))
    for row in merged_pulls:
        if commit := row.get("merge_commit_sha"):
            pulled.merge_commits[commit] = row["number"]


def is_maintainer(row: Row) -> bool:
    """True for a person with OWNER, MEMBER or COLLABORATOR rights."""
    return row.get("author_association") in MAINTAINERS and not is_bot(row.get("user"))


def is_bot(person: Row | None) -> bool:
    """True for an app or bot account."""
    return person is not None and (person.get("type") == "Bot" or person["login"].endswith("[bot]"))


def login_of(row: Row, role: str = "user") -> str | None:
    """Login of a row's person, None where the account is gone."""
    person = row.get(role)
    return person["login"] if person else None


def name_of(row: Row, key: bytes, role: str = "user") -> str | None:
    """Pseudonym of a row's person, None where there is none."""
    login = login_of(row, role)
    return pseudonym(login, key) if login else None
