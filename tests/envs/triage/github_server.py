"""A small GitHub on the loopback interface: four listings, quota, ETags, and faults on order.

`Forge` serves generated rows in the shapes of the REST interface (Link pagination, `If-None-Match`,
`X-RateLimit-*`, `Retry-After`) and logs every request. `Clock` is the time of both sides, so that
waits are seen and not sat through. Threads are made from word lists; nothing is copied.
"""

from __future__ import annotations

import hashlib
import json
import random
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

REPO = "quillworks/lathe"
START = datetime(2026, 1, 5, tzinfo=UTC)
NOW = datetime(2026, 7, 14, 9, tzinfo=UTC)

Row = dict[str, Any]


class Clock:
    """Time that passes only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = NOW.timestamp()
        self.slept: list[float] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@dataclass
class Forge:
    """What the server holds and how it misbehaves."""

    rows: dict[str, list[Row]]
    clock: Clock
    faults: dict[int, str] = field(default_factory=dict)
    """Ordinal of a request, from 1 -> a key of FAULTS."""
    quota: int = 10_000
    """Requests left until `reset`; refilled to `hourly` then."""
    hourly: int = 10_000
    reset: float = 0.0
    token: str | None = None
    """Where set, requests must carry it."""
    name: str = REPO
    log: list[tuple[str, int]] = field(default_factory=list)
    """(path with query, status) of every request; status 0 for a dropped connection."""
    url: str = ""

    def statuses(self) -> list[int]:
        return [status for _, status in self.log]

    def listing(self, path: str, query: Mapping[str, str]) -> list[Row]:
        """The rows a listing address asks for, in its order."""
        name = {"issues": "issues", "pulls": "pulls", "issues/comments": "comments"}.get(
            path, "events"
        )
        order = query.get("sort", "created")
        down = query.get("direction", "desc") == "desc"
        rows = sorted(self.rows[name], key=lambda row: (row[f"{order}_at"], row["id"]))
        rows = rows[::-1] if down else rows
        return [row for row in rows if row.get("updated_at", "9") >= query.get("since", "")]


@contextmanager
def serving(forge: Forge) -> Iterator[Forge]:
    """Serve a forge on a free loopback port until the block ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(forge))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    forge.url = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield forge
    finally:
        server.shutdown()
        server.server_close()
        thread.join(5)


def _handler(forge: Forge) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = 1 << 20  # one write an answer: a second would wait for the first, 40 ms each

        def log_message(self, format: str, *args: object) -> None:
            """Keep the test output clean."""

        def date_time_string(self, timestamp: float | None = None) -> str:
            return format_datetime(datetime.fromtimestamp(forge.clock.now, UTC), usegmt=True)

        def do_GET(self) -> None:
            fault = forge.faults.get(len(forge.log) + 1)
            if fault in ("drop", "half"):
                self._break(fault)
                return
            status, headers, body = FAULTS[fault](forge) if fault else self._answer()
            headers |= {
                "X-RateLimit-Remaining": str(forge.quota),
                "X-RateLimit-Limit": str(forge.hourly),
                "X-RateLimit-Reset": str(int(forge.reset)),
            } | headers
            self._send(status, headers, b"" if status == 304 else json.dumps(body).encode())

        def _answer(self) -> tuple[int, dict[str, str], object]:
            if forge.quota <= 0 and forge.clock.now >= forge.reset:
                forge.quota = forge.hourly
            if forge.quota <= 0:
                return FAULTS["quota"](forge)
            if forge.token and self.headers.get("Authorization") != f"token {forge.token}":
                return 401, {}, {"message": "Bad credentials"}
            parts = urlsplit(self.path)
            query = {key: values[0] for key, values in parse_qs(parts.query).items()}
            roots = (f"/repos/{REPO}/", "/repositories/77/")
            root = next((root for root in roots if parts.path.startswith(root)), None)
            if root is None:
                return 404, {}, {"message": "Not Found"}
            return self._page(parts.path.removeprefix(root), query)

        def _page(self, path: str, query: dict[str, str]) -> tuple[int, dict[str, str], object]:
            rows = forge.listing(path, query)
            size, page = int(query.get("per_page", 30)), int(query.get("page", 1))
            body = rows[(page - 1) * size : page * size]
            etag = 'W/"' + hashlib.sha256(json.dumps(body).encode()).hexdigest()[:20] + '"'
            headers = {"ETag": etag}
            if page * size < len(rows):
                kept = "&".join(f"{k}={v}" for k, v in query.items() if k != "page")
                address = f"{forge.url}/repositories/77/{path}?{kept}&page="
                last = -(-len(rows) // size)
                headers["Link"] = (
                    f'<{address}{page + 1}>; rel="next", <{address}{last}>; rel="last"'
                )
            if self.headers.get("If-None-Match") == etag:
                return 304, headers, None
            forge.quota -= 1
            return 200, headers, body

        def _send(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
            forge.log.append((self.path, status))
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def _break(self, how: str) -> None:
            forge.log.append((self.path, 0))
            self.close_connection = True
            if how == "half":
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.wfile.write(b'[{"id": 1')

    return Handler


def _quota(forge: Forge) -> tuple[int, dict[str, str], object]:
    return (
        403,
        {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(int(forge.reset))},
        {"message": "API rate limit exceeded for 127.0.0.1."},
    )


FAULTS: dict[str, Callable[[Forge], tuple[int, dict[str, str], object]]] = {
    "quota": _quota,
    "429": lambda forge: (429, {"Retry-After": "42"}, {"message": "Too many requests"}),
    "secondary": lambda forge: (403, {}, {"message": "You exceeded a secondary rate limit."}),
    "502": lambda forge: (502, {}, {"message": "Server Error"}),
    "403": lambda forge: (403, {}, {"message": "Resource not accessible by token"}),
    "401": lambda forge: (401, {}, {"message": "Bad credentials"}),
    "object": lambda forge: (200, {}, {"current_user_url": "/user"}),
}

# Generated threads ------------------------------------------------------------------------------

LOGINS = tuple(
    f"{a}{b}{c}" for a in ("zorv", "Quel", "myx") for b in ("an-", "ifar") for c in "789"
)
EMAIL = "someone.private@mailhost.net"
SECRET = "ghp_" + "Zq9" * 12
PARTS = ("spindle", "feed rate", "tool changer", "chuck", "carriage", "coolant pump")
FAULT_WORDS = (
    "stalls",
    "reports a wrong depth",
    "raises ValueError",
    "drifts",
    "ignores the limit",
)


def stamp(when: datetime) -> str:
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def person(login: str) -> Row:
    return {"login": login, "id": sum(login.encode()), "type": "User"}


def issue(number: int, *, author: str = LOGINS[0], **over: Any) -> Row:
    """One row of the issues listing."""
    when = stamp(START + timedelta(hours=6 * number))
    return {
        "id": 10_000 + number,
        "number": number,
        "repository_url": f"https://forge.invalid/repos/{REPO}",
        "title": f"Thread {number}",
        "body": "",
        "user": person(author),
        "author_association": "NONE",
        "state": "open",
        "state_reason": None,
        "labels": [],
        "assignees": [],
        "comments": 0,
        "created_at": when,
        "updated_at": when,
    } | over


def pull_request(number: int, *, merged: bool = False, commit: str = "", **over: Any) -> list[Row]:
    """A pull request as (issues row, pulls row)."""
    row = issue(number, **over)
    at = row["updated_at"] if merged else None
    row |= {"pull_request": {"merged_at": at}, "state": "closed" if merged else row["state"]}
    return [row, row | {"id": 30_000 + number, "merged_at": at, "merge_commit_sha": commit or None}]


def comment(number: int, ident: int, body: str, *, author: str = LOGINS[1], **over: Any) -> Row:
    when = stamp(START + timedelta(hours=6 * number, minutes=ident % 300 + 1))
    return {
        "id": 50_000 + ident,
        "issue_url": f"https://forge.invalid/repos/{REPO}/issues/{number}",
        "user": person(author),
        "author_association": "MEMBER",
        "body": body,
        "created_at": when,
        "updated_at": when,
    } | over


def event(number: int, ident: int, kind: str, *, actor: str = LOGINS[1], **over: Any) -> Row:
    when = stamp(START + timedelta(hours=6 * number, minutes=ident % 300 + 2))
    return {
        "id": 90_000 + ident,
        "event": kind,
        "actor": person(actor),
        "issue": {"number": number},
        "commit_id": None,
        "created_at": when,
    } | over


def generate(
    threads: int = 23, comments: int = 31, events: int = 17, seed: int = 0
) -> dict[str, list[Row]]:
    """Rows of all four listings; texts carry logins, an e-mail address and a token."""
    rng = random.Random(seed)
    rows: dict[str, list[Row]] = {"issues": [], "pulls": [], "comments": [], "events": []}
    for number in range(1, threads + 1):
        about = {
            "title": f"{rng.choice(PARTS).title()} {rng.choice(FAULT_WORDS)} since {number}.2",
            "body": f"Seen by @{rng.choice(LOGINS)}, {rng.choice(LOGINS)} has {EMAIL} and {SECRET}",
            "author": rng.choice(LOGINS),
        }
        if number % 2:
            rows["issues"].append(issue(number, **about))
        else:
            for name, row in zip(
                ("issues", "pulls"),
                pull_request(number, merged=number % 4 == 0, **about),
                strict=True,
            ):
                rows[name].append(row)
    for ident in range(comments):
        body = f"Thanks {rng.choice(LOGINS)}, mail {EMAIL} with {SECRET} in the {rng.choice(PARTS)}"
        number = rng.randint(1, threads)
        rows["comments"].append(comment(number, ident, body, author=rng.choice(LOGINS)))
        rows["issues"][number - 1]["comments"] += 1
    rows["events"] = [
        event(rng.randint(1, threads), ident, rng.choice(("closed", "labeled", "mentioned")))
        for ident in range(events)
    ]
    return rows
