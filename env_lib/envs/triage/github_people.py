"""Who takes part in a repository: public statistics and the reputation that stays hidden.

From real activity within the pulled window. `first_seen` is the first trace of an account (the
listings do not tell when it was made); `merged_prs` and `threads` are what the account opened.

    credit      = 1.0 * merged pull requests + 0.3 * threads not turned down
                  + 0.1 * comments on others' threads
    turned down = share of the account's threads closed as not planned, stale or duplicate
    reputation  = credit / (credit + 3) * (1 - turned down)

and at least 0.9 for owners, members and collaborators. It lies within [0, 1]: near 0 for a first
thread (0.09), 0.5 at three merged pull requests, 0.8 for a regular with ten.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

MAINTAINERS = frozenset({"OWNER", "MEMBER", "COLLABORATOR"})
TURNED_DOWN = frozenset({"not_planned", "stale", "duplicate"})
HALF_CREDIT = 3.0
MAINTAINER_FLOOR = 0.9

Row = Mapping[str, Any]


def reputation_of(
    merged: int, threads: int, turned_down: int, helped: int, *, maintainer: bool = False
) -> float:
    """Hidden reputation within [0, 1], by the formula above, rounded to 4 digits.

    `threads` counts all that the account opened, `turned_down` those of them closed unwanted,
    `helped` its comments on threads of others. Raises ValueError for impossible counts.
    """
    if min(merged, turned_down, helped) < 0 or threads < max(merged, turned_down):
        raise ValueError(
            f"threads={threads} must hold merged={merged} and turned_down={turned_down}; "
            f"helped={helped} must not be negative"
        )
    credit = merged + 0.3 * (threads - turned_down) + 0.1 * helped
    earned = credit / (credit + HALF_CREDIT) * (1 - turned_down / max(threads, 1))
    return round(max(earned, MAINTAINER_FLOOR if maintainer else 0.0), 4)


def contributors_of(
    repo: str, records: Sequence[Row], remarks: Sequence[Row], associations: Mapping[str, str]
) -> list[dict[str, Any]]:
    """One row an account that opened, commented or acted, ordered by pseudonym.

    `remarks` are comments and events; `associations` maps pseudonyms to GitHub's
    `author_association`.
    """
    author_of = {record["number"]: record["author"] for record in records}
    merged: Counter[str] = Counter()
    threads: Counter[str] = Counter()
    turned_down: Counter[str] = Counter()
    helped: Counter[str] = Counter()
    traces: dict[str, list[str]] = defaultdict(list)
    for record in records:
        if author := record["author"]:
            threads[author] += 1
            merged[author] += record["state"] == "merged"
            turned_down[author] += record["maintainer"]["closed_as"] in TURNED_DOWN
            traces[author].append(record["created_at"])
    for remark in remarks:
        if author := remark["author"]:
            helped[author] += "body" in remark and author_of.get(remark["number"]) != author
            traces[author].append(remark["created_at"][:10])
    return [
        {
            "repo": repo,
            "author": author,
            "merged_prs": merged[author],
            "threads": threads[author],
            "first_seen": min(traces[author]),
            "reputation": reputation_of(
                merged[author],
                threads[author],
                turned_down[author],
                helped[author],
                maintainer=associations.get(author) in MAINTAINERS,
            ),
        }
        for author in sorted(traces)
    ]
