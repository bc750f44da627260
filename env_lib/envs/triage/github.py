"""Live pull of a GitHub repository for the triage duty: pages into a cache, facts into the store.

Four repository-level listings and nothing per thread. A pull of the last six months of a repository
like huggingface/peft (about 600 new threads by the numbers and dates of the bundled facts; 60 older
ones that changed, half of all pull requests, 3.5 comments a thread: estimates) takes, at 100 rows a
page:

    issues    660 threads                 7 calls   changed within the window, oldest first
    pulls     330 of them                 4 calls   newest change first, cut at the window
    comments  660 x 3.5 = 2,310          24 calls   changed within the window, oldest first
    events    newest 20 pages at most    20 calls   the listing knows no date filter
                                         55 calls   of 60 an hour for an anonymous client

Events come last and are capped since they only add evidence (which change closed a thread); what is
decisive stands in the issue rows. Should a repository need more, the pull waits for the next hour
with a countdown, or stops at `max_calls`, and resumes where it was.

Pulled again, every page is asked for by its ETag. Unchanged pages cost a token no quota (an
anonymous client may be charged for them); nothing that is written changes.

Not covered: review comments and reviews of pull requests, reactions, deleted threads, and renamed
repositories (an error tells the new name).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from env_lib.envs.triage.github_answers import Page, PullConfig, PullError, PullStopped
from env_lib.envs.triage.github_client import Client
from env_lib.envs.triage.github_pages import PageCache, open_cache, read_cache
from env_lib.envs.triage.github_records import Facts, facts_of

__all__ = ["PullConfig", "PullError", "PullReport", "pull", "pull_into_store", "records_of"]


@dataclass(frozen=True)
class Listing:
    """One repository-level listing."""

    name: str
    """Name of its pages in the cache."""
    address: str
    """Path and parameters below /repos/owner/name/."""
    cut: str | None = None
    """Field by which a listing without a date filter runs from new to old, None elsewhere."""


LISTINGS = (
    Listing("issues", "issues?state=all&sort=created&direction=asc&since={since}"),
    Listing("pulls", "pulls?state=all&sort=updated&direction=desc", cut="updated_at"),
    Listing("comments", "issues/comments?sort=created&direction=asc&since={since}"),
    Listing("events", "issues/events?", cut="created_at"),
)


@dataclass(frozen=True)
class PullReport:
    """What a pull did; counts are rows in the cache, not rows fetched just now."""

    repo: str
    since: str
    complete: bool
    """False where the pull stopped early; the same call resumes it."""
    stopped: str
    """Why it stopped early, empty otherwise."""
    calls: int
    """Requests sent, repetitions included."""
    not_modified: int
    """Requests answered by 304."""
    waited_s: float
    """Seconds spent on rate limits and back-off."""
    rows: dict[str, int] = field(default_factory=dict)
    """Rows by listing."""


def pull(
    config: PullConfig,
    cache: Path,
    progress: Callable[[str], None] = print,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], None] = time.sleep,
) -> PullReport:
    """Bring the cache folder up to date; resumes an unfinished pull without asking twice.

    Raises PullError where going on is pointless (bad token, no such repository, server down).
    """
    pages = open_cache(Path(cache), config, clock())
    client = Client(config, progress, clock, sleep)
    stopped = ""
    try:
        for listing in LISTINGS:
            _pull_listing(listing, config, pages, client, progress)
        pages.finish()
    except PullStopped as stop:
        stopped = str(stop)
        progress(f"{config.repo}: stopped, {stopped}")
    return PullReport(
        repo=config.repo,
        since=pages.since,
        complete=not stopped,
        stopped=stopped,
        calls=client.calls,
        not_modified=client.not_modified,
        waited_s=client.waited_s,
        rows={listing.name: sum(1 for _ in pages.rows(listing.name)) for listing in LISTINGS},
    )


def records_of(cache: Path, key: bytes) -> Facts:
    """Facts of a cache, as (records, comments, events, contributors), logins hashed with `key`."""
    pages = read_cache(Path(cache))
    rows = {listing.name: tuple(pages.rows(listing.name)) for listing in LISTINGS}
    return facts_of(pages.repo, rows, key)


def pull_into_store(
    config: PullConfig,
    cache: Path,
    store_path: Path,
    key: bytes | None = None,
    progress: Callable[[str], None] = print,
    clock: Callable[[], float] = time.time,
    sleep: Callable[[float], None] = time.sleep,
) -> PullReport:
    """Pull, then add what the cache holds to the store; also after an early stop.

    Logins are hashed with `key` (by default `ingestion_key` of the store's folder) and texts
    scrubbed before anything reaches the store. The same cache adds the same rows: a second call
    changes nothing.
    """
    from env_lib.envs.triage.pseudonyms import ingestion_key
    from env_lib.envs.triage.store_upsert import upsert

    report = pull(config, cache, progress, clock, sleep)
    records, comments, events, contributors = records_of(
        cache, key or ingestion_key(Path(store_path).parent)
    )
    upsert(
        records,
        Path(store_path),
        source="github",
        contributors=contributors,
        comments=comments,
        events=events,
    )
    return report


def _pull_listing(
    listing: Listing,
    config: PullConfig,
    pages: PageCache,
    client: Client,
    progress: Callable[[str], None],
) -> None:
    url: str | None = _first_url(listing, config, pages.since)
    number = 0
    while url and not (listing.name == "events" and number >= config.max_event_pages):
        number += 1
        page = pages.page(listing.name, number)
        if page is not None and page.url != url:
            page = None
        if page is None or number > pages.done(listing.name):
            fresh = client.get(url, _usable_etag(page, config))
            pages.keep(listing.name, number, fresh)
            page = fresh or page
            progress(f"{config.repo}: {listing.name} page {number}, call {client.calls}")
        assert page is not None
        _check_name(page, config)
        url = None if _past_window(page, listing, pages.since) else page.next
    pages.trim(listing.name, number)


def _first_url(listing: Listing, config: PullConfig, since: str) -> str:
    address = listing.address.format(since=since)
    glue = "" if address.endswith("?") else "&"
    return f"/repos/{config.repo}/{address}{glue}per_page={config.per_page}"


def _usable_etag(page: Page | None, config: PullConfig) -> str | None:
    """No ETag for a full last page: it stays the same when a page follows it, its link does not."""
    if page is None or (page.next is None and len(page.rows) >= config.per_page):
        return None
    return page.etag


def _past_window(page: Page, listing: Listing, since: str) -> bool:
    return bool(listing.cut and page.rows and str(page.rows[-1][listing.cut]) < since)


def _check_name(page: Page, config: PullConfig) -> None:
    """A renamed repository answers under its new name, without the window asked for."""
    for row in page.rows[:1]:
        name = str(row.get("repository_url", "")).rpartition("/repos/")[2]
        if name and name.lower() != config.repo.lower():
            raise PullError(f"{config.repo} is called {name} now: pull it by that name")
