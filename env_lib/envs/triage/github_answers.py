"""What is asked of GitHub, and what its answers mean: pages, quota waits, refusals. No I/O here."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any

GITHUB_API = "https://api.github.com"


class PullError(RuntimeError):
    """A pull cannot go on; the message says of which repository, why, and what would be right."""


class PullStopped(RuntimeError):
    """A pull stopped on purpose (call budget, a wait that is too long); the next one resumes."""


@dataclass(frozen=True)
class PullConfig:
    """What to pull, from where, and how patiently."""

    repo: str
    """Repository as owner/name."""
    months: int = 6
    """How far back, in calendar months before the current one."""
    token: str | None = field(
        default_factory=lambda: os.environ.get("GITHUB_TOKEN") or None, repr=False
    )
    """Access token; `GITHUB_TOKEN` by default, None for an anonymous client (60 calls an hour)."""
    base_url: str = GITHUB_API
    """Root of the REST interface; another one for GitHub Enterprise."""
    max_calls: int | None = None
    """Requests against the quota after which the pull stops, resumable; None for no limit."""
    max_event_pages: int = 20
    """Newest pages of repository events to read: the listing knows no date filter."""
    per_page: int = 100
    """Rows a page, 1 to 100."""
    retries: int = 5
    """Further tries after a 5xx or a lost connection, waiting 1, 2, 4, … seconds."""
    timeout_s: int = 30
    """Seconds until a silent connection counts as lost."""
    max_wait_s: float = 3_900
    """Longest wait for a rate limit; a longer one stops the pull, resumable."""

    def __post_init__(self) -> None:
        """Raise ValueError with the value and the range where a field is out of it."""
        if not re.fullmatch(r"[\w.-]+/[\w.-]+", self.repo):
            raise ValueError(f"repo={self.repo!r} is not of the form owner/name")
        if not 1 <= self.per_page <= 100:
            raise ValueError(f"per_page={self.per_page} is not within 1 … 100")
        if self.months < 1 or self.retries < 0 or self.max_event_pages < 0:
            raise ValueError(
                f"months={self.months} must be at least 1, retries={self.retries} and "
                f"max_event_pages={self.max_event_pages} at least 0"
            )


@dataclass(frozen=True)
class Page:
    """One page of a listing as GitHub sent it."""

    url: str
    rows: tuple[Mapping[str, Any], ...]
    etag: str | None = None
    next: str | None = None


def limit_wait(status: int, headers: Mapping[str, str], body: str, now: float) -> float | None:
    """Seconds to wait before the next request, None where the quota is open.

    Order of evidence: `Retry-After`; remaining quota 0 with `X-RateLimit-Reset` (read against the
    server's own `Date`, so that a wrong local clock does no harm); a refusal that speaks of a rate
    limit without saying how long: one minute.
    """
    refused = status in (403, 429)
    if refused and headers.get("retry-after", "").isdigit():
        return float(headers["retry-after"])
    if headers.get("x-ratelimit-remaining") == "0" and "x-ratelimit-reset" in headers:
        if "date" in headers:
            now = parsedate_to_datetime(headers["date"]).timestamp()
        return max(float(headers["x-ratelimit-reset"]) - now, 0.0) + 1.0
    if status == 429 or (refused and "rate limit" in body.lower()):
        return 60.0
    return None


def page_of(url: str, headers: Mapping[str, str], body: str) -> Page:
    """Read a 200 answer: a JSON list of objects, its ETag, and the `rel="next"` link."""
    try:
        rows = json.loads(body)
    except json.JSONDecodeError as error:
        raise PullError(f"{url} answered 200 with a body that is not JSON: {error}") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise PullError(f"{url} answered {body[:80]!r}, not a list of objects: is base_url right?")
    found = re.search(r'<([^>]+)>\s*;[^,]*rel="next"', headers.get("link", ""))
    return Page(url, tuple(rows), headers.get("etag"), found.group(1) if found else None)


def refusal(status: int, body: str, config: PullConfig) -> str:
    """Say what a final refusal means for this repository and token (never showing the token)."""
    who = "the token" if config.token else "an anonymous client"
    hints = {
        401: "the token is not valid: set GITHUB_TOKEN to a current one, or unset it to pull "
        "anonymously (60 calls an hour)",
        403: f"{who} may not read it: use a token with read access to issues and pull requests "
        "(single sign-on authorised, where the organisation asks for it)",
        404: f"no such repository, or one that {who} cannot see: check owner/name, and use a "
        "token with read access where it is private",
        410: "its issues are switched off: choose a repository that has them",
    }
    try:
        said = str(json.loads(body).get("message", ""))[:200]
    except (json.JSONDecodeError, AttributeError):
        said = body[:80]
    hint = hints.get(status, "the request was not accepted")
    return f"{config.repo} at {config.base_url}: status {status}, {hint} [{said}]"


def clock_face(seconds: float) -> str:
    """Minutes and seconds, rounded up: 61.2 is '1:02'."""
    whole = int(-(-seconds // 1))
    return f"{whole // 60}:{whole % 60:02d}"
