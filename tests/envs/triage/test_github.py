from __future__ import annotations

import json
import math
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from env_lib.envs.triage.github import (
    PullConfig,
    PullError,
    PullReport,
    pull,
    pull_into_store,
    records_of,
)
from env_lib.envs.triage.github_answers import limit_wait
from tests.envs.triage.github_server import (
    EMAIL,
    LOGINS,
    REPO,
    SECRET,
    Clock,
    Forge,
    comment,
    event,
    generate,
    issue,
    serving,
)

pytest.importorskip("github", reason="the live pull needs the extra `pull` (PyGithub)")

KEY = b"a key of the tests"
TOKEN = "a-token-of-the-tests"
PAGES = 5 + 3 + 7 + 4  # 23 issues, 11 pulls, 31 comments, 17 events at 5 rows a page


@pytest.fixture(autouse=True)
def _no_proxy_and_no_token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)


@pytest.fixture
def forge() -> Iterator[Forge]:
    with serving(Forge(generate(), Clock())) as running:
        yield running


@pytest.fixture
def go(forge: Forge, tmp_path: Path) -> Callable[..., PullReport]:
    """Pull from the forge into tmp_path/cache; keyword arguments go into the configuration."""

    def run(said: list[str] | None = None, **over: Any) -> PullReport:
        config = PullConfig(**{"repo": REPO, "base_url": forge.url, "per_page": 5} | over)
        progress = said.append if said is not None else lambda line: None
        return pull(config, tmp_path / "cache", progress, forge.clock, forge.clock.sleep)

    return run


def _dump(path: Path) -> list[str]:
    with sqlite3.connect(path) as store:
        return list(store.iterdump())


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_every_page_of_every_listing_is_followed_by_its_link(go, forge) -> None:
    report = go()
    assert report.complete
    assert report.stopped == ""
    assert report.rows == {"issues": 23, "pulls": 11, "comments": 31, "events": 17}
    assert report.calls == PAGES == len(forge.log)
    assert set(forge.statuses()) == {200}


def test_only_repository_level_listings_are_asked_for(go, forge) -> None:
    go()
    ends = {path.partition("?")[0].partition("/repos/" + REPO + "/")[2] for path, _ in forge.log}
    assert ends - {""} == {"issues", "pulls", "issues/comments", "issues/events"}


def test_the_window_starts_on_the_first_of_the_month_so_many_months_ago(go) -> None:
    assert go(months=6).since == "2026-01-01T00:00:00Z"
    assert go(months=7).since == "2025-12-01T00:00:00Z"


def test_a_listing_without_a_date_filter_is_cut_at_the_window(go, forge) -> None:
    forge.rows["events"] = [event(1 + i, i, "closed") for i in range(23)]
    go(months=4)
    asked = [path for path, _ in forge.log if "issues/events" in path]
    in_window = sum(row["created_at"] >= "2026-03" for row in forge.rows["events"])
    assert len(asked) == in_window // 5 + 1 < 5


def test_a_spent_quota_is_waited_for_until_its_reset_with_a_countdown(go, forge) -> None:
    forge.quota, forge.hourly, forge.reset = 4, 60, forge.clock.now + 95
    said: list[str] = []
    report = go(said)
    assert report.complete
    assert report.calls == PAGES, "no request was wasted on a closed quota"
    assert report.waited_s == sum(forge.clock.slept) == 96
    shown = [line.rpartition(";")[2].strip() for line in said if "rate limit" in line]
    assert shown == [
        "1:36 to go",
        "1:06 to go",
        "0:36 to go",
        "0:26 to go",
        "0:16 to go",
        "0:06 to go",
    ]


@pytest.mark.parametrize(
    ("fault", "seconds"), [("429", 42), ("secondary", 60), ("quota", 31)], ids=str
)
def test_a_refusal_for_the_rate_is_waited_out_and_the_page_asked_again(
    go, forge, fault: str, seconds: float
) -> None:
    forge.faults, forge.reset = {3: fault}, forge.clock.now + 30
    report = go()
    assert report.complete
    assert report.rows["issues"] == 23
    assert report.waited_s == sum(forge.clock.slept) == seconds
    assert forge.log[2][0] == forge.log[3][0]


def test_a_wrong_local_clock_does_not_lengthen_the_wait() -> None:
    headers = {
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": "1000000600",
        "date": "Sun, 09 Sep 2001 01:46:40 GMT",
    }
    assert limit_wait(403, headers, "", now=1_000_000_000 - 86_400) == 601


def test_a_wait_beyond_the_longest_allowed_stops_the_pull_and_resumes_later(go, forge) -> None:
    forge.quota, forge.hourly, forge.reset = 6, 60, forge.clock.now + 3000
    report = go(max_wait_s=100)
    assert not report.complete
    assert "max_wait_s=100" in report.stopped
    assert forge.clock.slept == []
    forge.clock.now += 3001
    assert go(max_wait_s=100).complete
    assert len(forge.log) == PAGES


def test_a_server_error_is_tried_again_with_doubling_pauses(go, forge) -> None:
    forge.faults = {2: "502", 3: "502", 4: "502"}
    said: list[str] = []
    report = go(said)
    assert report.complete
    assert report.rows["issues"] == 23
    assert forge.clock.slept == [1, 2, 4]
    assert any("status 502, trying again" in line for line in said)


@pytest.mark.parametrize("fault", ["drop", "half"])
def test_a_lost_connection_is_tried_again(go, forge, fault: str) -> None:
    forge.faults = {4: fault}
    report = go()
    assert report.complete
    assert report.rows == {
        "issues": 23,
        "pulls": 11,
        "comments": 31,
        "events": 17,
    }
    assert forge.clock.slept == [1]


def test_a_server_that_stays_down_ends_the_pull_with_an_error_that_names_it(go, forge) -> None:
    forge.faults = dict.fromkeys(range(1, 10), "502")
    with pytest.raises(PullError, match=rf"{REPO}: status 502 at /repos/.*after 3 tries"):
        go(retries=2)


@pytest.mark.parametrize("at", range(1, PAGES + 1, 3))
def test_an_interrupted_pull_resumes_where_it_stopped(go, forge, tmp_path, at: int) -> None:
    forge.faults = {at: "drop"}
    with pytest.raises(PullError, match="the same call resumes"):
        go(retries=0)
    assert go(retries=0).complete
    asked = [path for path, status in forge.log if status == 200]
    assert len(asked) == len(set(asked)) == PAGES, "no page is fetched twice"


def test_a_page_kept_but_not_yet_counted_costs_one_unchanged_answer(go, forge, tmp_path) -> None:
    forge.faults = {3: "drop"}
    with pytest.raises(PullError):
        go(retries=0)
    cursor = tmp_path / "cache" / "cursor.json"
    cursor.write_text(json.dumps(json.loads(cursor.read_text()) | {"done": {"issues": 1}}))
    report = go()
    assert (report.not_modified, report.calls) == (1, PAGES - 1)


def test_a_second_pull_is_answered_by_etags_and_changes_no_file(go, forge, tmp_path) -> None:
    go()
    before = _files(tmp_path / "cache")
    left = forge.quota
    report = go()
    assert (report.calls, report.not_modified) == (PAGES, PAGES)
    assert forge.quota == left, "unchanged pages cost no quota"
    assert _files(tmp_path / "cache") == before


def test_a_second_pull_fetches_what_changed(go, forge, tmp_path) -> None:
    go()
    forge.rows["issues"].append(issue(24, author=LOGINS[2], title="A new thread"))
    report = go()
    assert report.rows["issues"] == 24
    assert report.calls - report.not_modified == 1


def test_rows_that_follow_a_full_last_page_are_not_missed(go, forge) -> None:
    del forge.rows["comments"][10:]
    assert go().rows["comments"] == 10
    forge.rows["comments"].append(comment(23, 299, "A late remark"))
    assert go().rows["comments"] == 11


def test_pages_left_over_from_a_longer_listing_are_dropped(go, forge) -> None:
    go()
    del forge.rows["comments"][7:]
    assert go().rows["comments"] == 7


def test_the_call_budget_stops_the_pull_and_the_next_one_goes_on(go, forge) -> None:
    reports = [go(max_calls=7) for _ in range(3)]
    assert [report.calls for report in reports] == [7, 7, PAGES - 14]
    assert [report.complete for report in reports] == [False, False, True]
    assert "call budget of 7" in reports[0].stopped


def test_a_six_month_pull_of_a_repository_like_peft_fits_into_sixty_anonymous_calls(
    go, forge
) -> None:
    forge.rows = generate(threads=660, comments=2310, events=4000)
    forge.quota = forge.hourly = 60
    forge.reset = forge.clock.now + 3600
    report = go(per_page=100, max_calls=60)
    assert report.complete
    assert report.calls <= 60
    assert forge.clock.slept == []
    assert report.rows["events"] == 2000, "the newest 20 pages"


def test_the_token_is_sent_and_an_unchanged_answer_then_is_outside_the_budget(
    go, forge, tmp_path
) -> None:
    forge.token = TOKEN
    assert go(token=TOKEN).complete
    assert go(token=TOKEN, max_calls=1).complete
    assert all(TOKEN.encode() not in data for data in _files(tmp_path / "cache").values())


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("401", r"status 401.*set GITHUB_TOKEN to a current one"),
        ("403", r"status 403.*read access to issues"),
        ("object", r"not a list of objects: is base_url right"),
    ],
)
def test_a_final_refusal_says_what_would_be_right_and_never_shows_the_token(
    go, forge, fault: str, words: str
) -> None:
    forge.faults = {1: fault}
    with pytest.raises(PullError, match=words) as caught:
        go(token=TOKEN)
    assert TOKEN not in str(caught.value)
    assert forge.clock.slept == []
    assert len(forge.log) == 1, "it is not repeated"


def test_an_unknown_repository_is_named_in_the_error(go) -> None:
    with pytest.raises(PullError, match=r"quillworks/lahte .*status 404, no such repository"):
        go(repo="quillworks/lahte")


def test_a_renamed_repository_is_refused_with_its_new_name(go, forge) -> None:
    for row in forge.rows["issues"]:
        row["repository_url"] = "https://forge.invalid/repos/quillworks/mill"
    with pytest.raises(PullError, match="quillworks/lathe is called quillworks/mill now"):
        go()


def test_a_cache_of_another_repository_is_refused(go, tmp_path) -> None:
    go()
    with pytest.raises(PullError, match="holds pages of quillworks/lathe, not of other/one"):
        go(repo="other/one")


def test_records_without_a_pull_are_refused_with_what_to_call(tmp_path) -> None:
    with pytest.raises(PullError, match=r"call pull\(\) first"):
        records_of(tmp_path, KEY)


@pytest.mark.parametrize(
    ("over", "words"),
    [
        ({"repo": "peft"}, "repo='peft' is not of the form owner/name"),
        ({"per_page": 500}, "per_page=500 is not within"),
        ({"months": 0}, "months=0 must be at least 1"),
    ],
)
def test_a_wrong_configuration_is_refused_with_the_value(over: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        PullConfig(**{"repo": REPO} | over)


def test_the_token_comes_from_the_environment_and_stays_out_of_the_repr(monkeypatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", TOKEN)
    config = PullConfig(REPO)
    assert config.token == TOKEN
    assert TOKEN not in repr(config)


@pytest.fixture
def stored(forge, tmp_path) -> Callable[..., PullReport]:
    def run(**over: Any) -> PullReport:
        config = PullConfig(
            **{"repo": REPO, "base_url": forge.url, "per_page": 5, "token": TOKEN} | over
        )
        return pull_into_store(
            config,
            tmp_path / "cache",
            tmp_path / "repo.db",
            KEY,
            lambda line: None,
            forge.clock,
            forge.clock.sleep,
        )

    return run


def test_a_pull_run_twice_changes_nothing_in_the_store(stored, tmp_path) -> None:
    stored()
    before = _dump(tmp_path / "repo.db")
    stored()
    assert _dump(tmp_path / "repo.db") == before


def test_a_pull_in_pieces_ends_in_the_same_store_as_one_in_one_go(stored, tmp_path) -> None:
    while not stored(max_calls=4).complete:
        pass
    pieces = _dump(tmp_path / "repo.db")
    (tmp_path / "repo.db").unlink()
    stored()
    assert _dump(tmp_path / "repo.db") == pieces


def test_no_login_address_or_token_reaches_the_store(stored, forge, tmp_path) -> None:
    stored()
    content = (tmp_path / "repo.db").read_bytes().lower()
    private = [*LOGINS, EMAIL, SECRET, TOKEN]
    assert not [word for word in private if word.lower().encode() in content]
    assert b"spindle" in content, "the texts themselves are there"
    raw = b"".join(_files(tmp_path / "cache").values()).lower()
    assert all(word.lower().encode() in raw for word in private[:-1]), "the test data is not empty"


def test_raw_pages_are_kept_out_of_version_control(go, tmp_path) -> None:
    go()
    assert (tmp_path / "cache" / ".gitignore").read_text() == "*\n"


def test_the_store_holds_threads_comments_events_and_contributors(stored, tmp_path) -> None:
    report = stored()
    with sqlite3.connect(tmp_path / "repo.db") as store:
        count = {
            table: store.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("issues", "comments", "events", "contributors")
        }
        merged, reputation = store.execute(
            "SELECT sum(merged_prs), max(reputation) FROM contributors"
        ).fetchone()
    assert (count["issues"], count["comments"]) == (23, 31)
    assert 0 < count["events"] <= report.rows["events"]
    assert 2 <= count["contributors"] <= len(LOGINS)
    assert merged == math.floor(23 / 4)
    assert 0 < reputation <= 1
