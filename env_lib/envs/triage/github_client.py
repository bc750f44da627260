"""One polite GitHub client: what to send, when to wait, when to try again, when to stop.

The client library is PyGithub: typed, maintained, pluggable base URL, one blocking call a page,
which is all that a listing needs. Its low-level `requester` returns status, headers and body, so
ETags and rate limits stay in sight. Its own retries are off: they would sleep unseen, and a wait of
up to an hour has to be visible and, in tests, injectable. Of githubkit, the other candidate, the
current release (0.16.1) does not import beside the hishel (2.0) that it asks for, and its response
caches (memory, redis) do not outlive an interrupted pull.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from env_lib.envs.triage.github_answers import (
    Page,
    PullConfig,
    PullError,
    PullStopped,
    clock_face,
    limit_wait,
    page_of,
    refusal,
)

SERVER_SIDE = range(500, 600)
MAX_LIMIT_ANSWERS = 5


class Client:
    """Fetches pages of one repository; counts calls, waits for limits, retries what may pass."""

    def __init__(
        self,
        config: PullConfig,
        progress: Callable[[str], None],
        clock: Callable[[], float],
        sleep: Callable[[float], None],
    ) -> None:
        """Take the clock (seconds since the epoch) and the sleep from the caller."""
        try:
            from github import Auth, Github
        except ImportError as error:
            raise PullError(
                "the live pull needs PyGithub: pip install 'maintainer-gym[pull]'"
            ) from error
        self.config, self.progress, self.clock, self.sleep = config, progress, clock, sleep
        self.calls = self.charged = self.not_modified = 0
        self.waited_s = 0.0
        self._open_at = 0.0
        self._requester = Github(
            base_url=config.base_url.rstrip("/"),
            auth=Auth.Token(config.token) if config.token else None,
            user_agent="maintainer-gym",
            timeout=config.timeout_s,
            retry=None,
            seconds_between_requests=None,
        ).requester

    def get(self, url: str, etag: str | None = None) -> Page | None:
        """Fetch one page, or None where it still is the one with that ETag.

        Raises PullError on an answer that no repetition would change or after the last retry,
        PullStopped when the call budget or the longest wait is reached.
        """
        failures = limits = 0
        while True:
            self._wait_for_quota()
            problem, answer = self._try(url, etag)
            if answer is not None:
                status, headers, body = answer
                if self._limited(status, headers, body):
                    limits += 1
                    if limits > MAX_LIMIT_ANSWERS:
                        raise PullError(f"{self.config.repo}: still rate-limited after waiting")
                    continue
                if status == 304:
                    self.not_modified += 1
                    # with a token a 304 is free; an anonymous one may be charged
                    self.charged -= 1 if self.config.token else 0
                    return None
                if status == 200:
                    return page_of(url, headers, body)
                if status not in SERVER_SIDE:
                    raise PullError(refusal(status, body, self.config))
            if failures == self.config.retries:
                raise PullError(
                    f"{self.config.repo}: {problem} at {url}, after {failures + 1} tries; "
                    "pages fetched so far are kept, the same call resumes there"
                )
            self._pause(2.0**failures, f"{problem}, trying again")
            failures += 1

    def _try(self, url: str, etag: str | None) -> tuple[str, tuple[int, dict, str] | None]:
        """Send one request; return the problem in words and the answer, if there was one."""
        from requests import RequestException

        budget = self.config.max_calls
        if budget is not None and self.charged >= budget:
            raise PullStopped(f"call budget of {budget} used; the same call resumes")
        headers = {"Accept": "application/vnd.github+json"}
        if etag:
            headers["If-None-Match"] = etag
        self.calls += 1
        self.charged += 1
        try:
            answer = self._requester.requestJson("GET", url, headers=headers)
        except RequestException as error:
            return f"connection lost ({type(error).__name__})", None
        return f"status {answer[0]}", answer

    def _limited(self, status: int, headers: Mapping[str, str], body: str) -> bool:
        """Note until when the quota is closed; True where this answer was refused for it."""
        wait = limit_wait(status, headers, body, self.clock())
        if wait is not None:
            self._open_at = self.clock() + wait
        return wait is not None and status in (403, 429)

    def _wait_for_quota(self) -> None:
        wait = self._open_at - self.clock()
        if wait <= 0:
            return
        if wait > self.config.max_wait_s:
            raise PullStopped(
                f"rate limit for another {clock_face(wait)}, more than max_wait_s="
                f"{self.config.max_wait_s:g}; the same call resumes then"
            )
        self._pause(wait, "rate limit reached" + ("" if self.config.token else " (no token)"))
        self._open_at = 0.0

    def _pause(self, seconds: float, why: str) -> None:
        """Sleep in short steps, one progress line each, so that a wait is seen to pass."""
        self.waited_s += seconds
        left = seconds
        while left > 0:
            self.progress(f"{self.config.repo}: {why}; {clock_face(left)} to go")
            step = min(left, 30.0 if left > 60 else 10.0)
            self.sleep(step)
            left -= step
