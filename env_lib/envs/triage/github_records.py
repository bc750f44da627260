"""Raw GitHub rows -> the fact records of the triage duty: records, comments, events, contributors.

A record has the shape of `data/triage/*.jsonl` plus `author` (pseudonym), `assignees`
(pseudonyms), `category_source` and `state_verified: true`. What a maintainer is: an author whose
`author_association` is OWNER, MEMBER or COLLABORATOR and who is no bot. What the maintainers did:

    asked_for_info  the first reply of a maintainer other than the author asks for information
    answered        a maintainer other than the author replied
    duplicate_of    a maintainer wrote "duplicate of #n", n another thread; the last such n
    fixed_by        issues alone: a merged pull request that closes it by keyword or by the commit
                    that closed it, else a maintainer's "fixed by #n"
    closed_as       `state_reason` of a closed issue; `stale` where a bot closed it unmerged
    merged          pull requests alone: merged or not

`evidence` says how much of the conversation was seen. It is "state only" where comments are missing
and nothing of the above shows, and for pull requests without a visible answer: their reviews are
not in the listings, so silence proves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from env_lib.envs.triage import github_text as said
from env_lib.envs.triage.github_people import contributors_of
from env_lib.envs.triage.github_rows import (
    Pulled,
    Row,
    index_rows,
    is_bot,
    is_maintainer,
    login_of,
    logins_of,
    name_of,
)
from env_lib.envs.triage.pseudonyms import pseudonym

Facts = tuple[list[dict], list[dict], list[dict], list[dict]]


def facts_of(repo: str, rows: Mapping[str, Sequence[Row]], key: bytes) -> Facts:
    """Compute all facts of the rows by listing (`issues`, `pulls`, `comments`, `events`)."""
    pulled = index_rows(repo, rows)
    cleaner = said.Cleaner(repo, logins_of(rows), key)
    records = [_record(issue, pulled, cleaner, key) for issue in pulled.issues]
    comments = [
        {
            "repo": repo,
            "number": number,
            "id": row["id"],
            "author": name_of(row, key),
            "association": row.get("author_association"),
            "created_at": row["created_at"],
            "body": cleaner.text(row["body"]),
        }
        for number in sorted(pulled.comments)
        for row in pulled.comments[number]
    ]
    events = [
        {
            "repo": repo,
            "number": number,
            "id": row["id"],
            "author": name_of(row, key, "actor"),
            "event": row["event"],
            "label": (row.get("label") or {}).get("name"),
            "created_at": row["created_at"],
        }
        for number in sorted(pulled.events)
        for row in pulled.events[number]
    ]
    people = contributors_of(repo, records, [*comments, *events], _associations(pulled, key))
    return records, comments, events, people


def _associations(pulled: Pulled, key: bytes) -> dict[str, str]:
    rows = (*pulled.issues, *(row for rows in pulled.comments.values() for row in rows))
    named = ((name_of(row, key), row.get("author_association", "NONE")) for row in rows)
    return {name: association for name, association in named if name}


def _record(issue: Row, pulled: Pulled, cleaner: said.Cleaner, key: bytes) -> dict[str, Any]:
    kind = "pull_request" if issue.get("pull_request") else "issue"
    state = "merged" if issue["number"] in pulled.merged else issue["state"]
    labels = [label["name"] for label in issue["labels"]]
    body = said.COMMENT_OUT.sub("", issue.get("body") or "")
    category, category_source = said.category_of(issue["title"], kind, labels)
    maintainer = _maintainer(issue, kind, state, labels, pulled)
    assignees = sorted({pseudonym(person["login"], key) for person in issue["assignees"]})
    return {
        "repo": pulled.repo,
        "number": issue["number"],
        "kind": kind,
        "state": state,
        "created_at": issue["created_at"][:10],
        "labels": labels,
        "title": cleaner.text(issue["title"]),
        "body": cleaner.text(body),
        "category": category,
        "category_source": category_source,
        **said.text_facts(body),
        "maintainer": maintainer,
        "author": name_of(issue, key),
        "assignees": assignees,
        "evidence": _evidence(issue, kind, maintainer, bool(assignees), category_source, pulled),
        "state_verified": True,
    }


def _maintainer(
    issue: Row, kind: str, state: str, labels: Iterable[str], pulled: Pulled
) -> dict[str, Any]:
    number = issue["number"]
    theirs = [row for row in pulled.comments[number] if is_maintainer(row)]
    replies = [row for row in theirs if login_of(row) != login_of(issue)]
    first = replies[0]["body"] or "" if replies else ""
    words = "\n\n".join(row["body"] or "" for row in theirs)
    duplicates = [n for n in said.numbers(said.DUPLICATE, words, pulled.repo) if n != number]
    return {
        "asked_for_info": said.asks_for_info(first) or any(map(said.NEEDS_INFO.search, labels)),
        "answered": bool(replies),
        "duplicate_of": duplicates[-1] if duplicates else None,
        "fixed_by": _fixed_by(number, words, pulled) if kind == "issue" else None,
        "closed_as": _closed_as(issue, state, pulled),
        "merged": state == "merged" if kind == "pull_request" else None,
    }


def _fixed_by(number: int, words: str, pulled: Pulled) -> int | None:
    if number in pulled.fixes:
        return pulled.fixes[number]
    for row in reversed(pulled.events[number]):
        if row["event"] == "closed" and row.get("commit_id") in pulled.merge_commits:
            return pulled.merge_commits[row["commit_id"]]
    named = [n for n in said.numbers(said.FIXED_IN, words, pulled.repo) if n != number]
    return named[-1] if named else None


def _closed_as(issue: Row, state: str, pulled: Pulled) -> str | None:
    if state != "closed":
        return None
    closings = [row for row in pulled.events[issue["number"]] if row["event"] == "closed"]
    if closings and is_bot(closings[-1].get("actor")):
        return "stale"
    return issue.get("state_reason") if not issue.get("pull_request") else None


def _evidence(
    issue: Row, kind: str, maintainer: Row, assigned: bool, category_source: str, pulled: Pulled
) -> str:
    """How much was seen; "state only" where nothing shows and something may be missing."""
    seen, total = len(pulled.comments[issue["number"]]), issue.get("comments", 0)
    shown = (
        assigned
        or category_source == "label"
        or any(
            maintainer[name] for name in ("asked_for_info", "answered", "duplicate_of", "fixed_by")
        )
    )
    if not shown and (seen < total or kind == "pull_request"):
        return "state only"
    return f"live pull, {min(seen, total)} of {total} comments seen"
