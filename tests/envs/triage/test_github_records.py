from __future__ import annotations

from typing import Any

import pytest

from env_lib.envs.triage import github_text as said
from env_lib.envs.triage.github_people import reputation_of
from env_lib.envs.triage.github_records import facts_of
from env_lib.envs.triage.pseudonyms import pseudonym
from env_lib.envs.triage.truth import truth_of
from tests.envs.triage.github_server import (
    LOGINS,
    REPO,
    Row,
    comment,
    event,
    issue,
    person,
    pull_request,
)

KEY = b"a key of the tests"
AUTHOR, KEEPER, OTHER = LOGINS[:3]
ROBOT = {"login": "tidy[bot]", "id": 1, "type": "Bot"}


def facts(
    issues: list[Row] = (), comments: list[Row] = (), events: list[Row] = (), pulls: list[Row] = ()
) -> dict[int, dict[str, Any]]:
    """Records by number; a thread's comment count is that of its comments unless it is set."""
    rows = {"issues": [], "pulls": list(pulls), "comments": comments, "events": events}
    for row in issues:
        mine = sum(c["issue_url"].endswith(f"/{row['number']}") for c in comments)
        rows["issues"].append(row | {"comments": row["comments"] or mine})
    return {record["number"]: record for record in facts_of(REPO, rows, KEY)[0]}


def one(*comments: Row, events: list[Row] = (), **over: Any) -> dict[str, Any]:
    return facts([issue(7, author=AUTHOR, **over)], list(comments), events)[7]


@pytest.mark.parametrize(
    ("reply", "asked"),
    [
        ("Could you share a minimal script that shows it?", True),
        ("Which version of the library do you use?", True),
        ("Please post the full traceback.", True),
        ("Can you provide:\n- your environment\n- the script", True),
        ("Thanks, a fix is on its way.", False),
        ("Could you open a pull request?", False),
    ],
)
def test_a_first_reply_that_asks_for_details_counts_as_a_request(reply: str, asked: bool) -> None:
    assert one(comment(7, 1, reply))["maintainer"]["asked_for_info"] is asked


def test_only_the_first_reply_of_a_maintainer_can_be_the_request() -> None:
    later = [comment(7, 1, "I can confirm it."), comment(7, 2, "Which version do you use?")]
    assert one(*later)["maintainer"]["asked_for_info"] is False
    from_a_user = comment(7, 0, "Same here!", author=OTHER, author_association="NONE")
    asked = one(from_a_user, comment(7, 2, "Which version do you use?"))
    assert asked["maintainer"]["asked_for_info"] is True


def test_a_needs_info_label_is_a_request_too() -> None:
    for name in ("⏳ needs more info", "needs-repro", "needs reproduction"):
        assert one(labels=[{"name": name}])["maintainer"]["asked_for_info"] is True


@pytest.mark.parametrize("association", ["OWNER", "MEMBER", "COLLABORATOR"])
def test_a_reply_by_a_maintainer_is_an_answer(association: str) -> None:
    assert one(comment(7, 1, "Thanks!", author_association=association))["maintainer"]["answered"]


def test_users_authors_and_bots_do_not_answer() -> None:
    for row in (
        comment(7, 1, "Same here", author_association="CONTRIBUTOR"),
        comment(7, 1, "Never mind", author=AUTHOR),
        comment(7, 1, "Marked as stale") | {"user": ROBOT},
    ):
        assert one(row)["maintainer"]["answered"] is False


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("Duplicate of #3", 3),
        (f"Closing as a duplicate of https://github.com/{REPO}/issues/3.", 3),
        (f"dup of {REPO}#3", 3),
        ("This is not a duplicate of #3", None),
        ("Duplicate of other/repo#3", None),
        ("duplicate of #7", None),
        ("See also #3", None),
    ],
)
def test_a_maintainers_word_names_the_duplicate(words: str, target: int | None) -> None:
    assert one(comment(7, 1, words))["maintainer"]["duplicate_of"] == target
    by_a_user = comment(7, 1, words, author_association="NONE")
    assert one(by_a_user)["maintainer"]["duplicate_of"] is None


def test_a_merged_pull_request_that_closes_an_issue_by_keyword_fixes_it() -> None:
    merged, merged_row = pull_request(9, merged=True, body="Fixes #7 and see #8")
    shut, shut_row = pull_request(10, body="Fixes #8")
    threads = [issue(7), issue(8), merged, shut]
    found = facts(threads, pulls=[merged_row, shut_row])
    assert [found[n]["maintainer"]["fixed_by"] for n in (7, 8, 9)] == [9, None, None]


def test_a_merge_commit_that_closed_an_issue_names_its_pull_request() -> None:
    merged, row = pull_request(9, merged=True, commit="c0ffee")
    closing = event(7, 1, "closed", commit_id="c0ffee")
    assert facts([issue(7), merged], (), [closing], [row])[7]["maintainer"]["fixed_by"] == 9


def test_a_maintainers_fixed_by_names_the_change() -> None:
    assert one(comment(7, 1, "This was fixed in #5."))["maintainer"]["fixed_by"] == 5


def test_a_merge_shows_in_either_listing() -> None:
    by_issue, _ = pull_request(9, merged=True)
    by_pulls, row = pull_request(11, merged=True)
    by_pulls["pull_request"] = {"url": "https://forge.invalid"}
    found = facts([by_issue, by_pulls], pulls=[row])
    assert {(r["kind"], r["state"], r["maintainer"]["merged"]) for r in found.values()} == {
        ("pull_request", "merged", True)
    }


def test_the_reason_of_a_closing_is_kept_and_a_bots_closing_is_stale() -> None:
    closed = one(state="closed", state_reason="not_planned")
    assert closed["maintainer"]["closed_as"] == "not_planned"
    by_a_bot = event(7, 1, "closed") | {"actor": ROBOT}
    stale = one(state="closed", state_reason="not_planned", events=[by_a_bot])
    assert stale["maintainer"]["closed_as"] == "stale"


SCRIPT = "Run this:\n```python\nimport lathe\nlathe.turn(3)\n```\n"
TRACE = '```\nTraceback (most recent call last):\n  File "a.py"\nValueError: no chuck\n```'


@pytest.mark.parametrize(
    ("body", "repro", "versions", "traceback"),
    [
        ("It does not work.", False, False, False),
        (SCRIPT, True, False, False),
        (TRACE, False, False, True),
        (SCRIPT + TRACE, True, False, True),
        ("- Python version: 3.11.4\n- OS: any", False, True, False),
        ("lathe==0.4.1", False, True, False),
        ("```text\nplain words\n```", False, False, False),
        ("<!-- version 1.2 goes here -->", False, False, False),
    ],
)
def test_what_a_report_brings_is_read_from_its_text(
    body: str, repro: bool, versions: bool, traceback: bool
) -> None:
    record = one(body=body)
    assert (record["has_repro"], record["has_versions"], record["has_traceback"]) == (
        repro,
        versions,
        traceback,
    )


@pytest.mark.parametrize(
    ("title", "kind", "labels", "found"),
    [
        ("Chuck slips", "issue", ["🐛 bug"], ("bug", "label")),
        ("Chuck slips", "issue", ["wip", "✨ enhancement"], ("feature", "label")),
        ("Typo in the guide", "issue", [], ("docs", "keywords")),
        ("pip install lathe fails", "issue", [], ("install", "keywords")),
        ("Turning is slow on two cores", "issue", [], ("performance", "keywords")),
        ("How to turn brass?", "issue", [], ("question", "keywords")),
        ("Crash in the carriage", "issue", [], ("bug", "keywords")),
        ("Support brass", "issue", [], ("feature", "keywords")),
        ("ci: pin the runner", "pull_request", [], ("maintenance", "keywords")),
        ("Carriage", "issue", [], ("question", "kind")),
        ("Carriage", "pull_request", [], ("maintenance", "kind")),
    ],
)
def test_the_category_says_where_it_comes_from(
    title: str, kind: str, labels: list[str], found: tuple[str, str]
) -> None:
    assert said.category_of(title, kind, labels) == found


def test_evidence_says_how_much_of_the_conversation_was_seen() -> None:
    assert one()["evidence"] == "live pull, 0 of 0 comments seen"
    assert one(comments=3)["evidence"] == "state only"
    assert (
        one(comment(7, 1, "Thanks!"), comments=3)["evidence"] == "live pull, 1 of 3 comments seen"
    )
    silent, row = pull_request(9)
    assert facts([silent], pulls=[row])[9]["evidence"] == "state only"


@pytest.mark.parametrize(
    ("over", "comments", "action"),
    [
        ({}, [], "wait"),
        ({"labels": [{"name": "bug"}]}, [], "label"),
        ({"assignees": [person(KEEPER)]}, [], "assign"),
        ({}, [comment(7, 1, "Duplicate of #3")], "link_duplicate"),
        ({}, [comment(7, 1, "Which version is it?")], "request_info"),
        ({"state": "closed"}, [comment(7, 1, "It works as meant.")], "comment"),
    ],
)
def test_the_truth_rules_read_a_live_record(
    over: dict[str, Any], comments: list[Row], action: str
) -> None:
    truth = truth_of(one(*comments, **over))
    assert (truth.action, truth.source, truth.scored) == (action, "maintainer", True)


def test_people_appear_as_pseudonyms_alone() -> None:
    record = one(assignees=[person(KEEPER)], body=f"cc @{OTHER}, as {KEEPER.upper()} said")
    assert record["author"] == pseudonym(AUTHOR, KEY)
    assert record["assignees"] == [pseudonym(KEEPER, KEY)]
    assert OTHER.lower() not in record["body"].lower()
    assert KEEPER.lower() not in record["body"].lower()


@pytest.mark.parametrize(
    "text",
    ["{0}", "@{0}", "{0}'s", "({0})", "my-{0}-fork", "{0}_patch", "x/{0}/y", "git@host:{0}/lathe"],
)
def test_a_login_is_found_wherever_it_stands(text: str) -> None:
    for login in ("Quelan-7", "zorvifar8"):
        cleaner = said.Cleaner(REPO, ["Quelan-7", "zorvifar8"], KEY)
        assert login.lower() not in cleaner.text(text.format(login)).lower()


def test_words_that_only_look_like_a_short_login_stay() -> None:
    cleaner = said.Cleaner(REPO, ["is", "quillworks"], KEY)
    assert cleaner.text("the lathe of quillworks is loud") == "the lathe of quillworks is loud"


def test_a_deleted_account_leaves_a_thread_without_an_author() -> None:
    assert one(user=None)["author"] is None


def test_remarks_on_threads_outside_the_pull_are_left_out() -> None:
    rows = {
        "issues": [issue(7)],
        "pulls": [],
        "comments": [comment(99, 1, "hello")],
        "events": [event(99, 1, "closed"), event(7, 2, "mentioned")],
    }
    _, comments, events, people = facts_of(REPO, rows, KEY)
    assert (comments, events, len(people)) == ([], [], 1)


def test_contributors_carry_public_statistics_and_a_reputation() -> None:
    merged, row = pull_request(9, merged=True, author=OTHER)
    rows = {
        "issues": [issue(7, author=AUTHOR), merged],
        "pulls": [row],
        "comments": [comment(7, 1, "Thanks!", author=KEEPER)],
        "events": [],
    }
    people = {entry["author"]: entry for entry in facts_of(REPO, rows, KEY)[3]}
    of = {name: people[pseudonym(name, KEY)] for name in (AUTHOR, KEEPER, OTHER)}
    assert [of[name]["merged_prs"] for name in (AUTHOR, KEEPER, OTHER)] == [0, 0, 1]
    assert [of[name]["threads"] for name in (AUTHOR, KEEPER, OTHER)] == [1, 0, 1]
    assert of[AUTHOR]["first_seen"] == "2026-01-06"
    assert of[AUTHOR]["reputation"] < of[OTHER]["reputation"] < of[KEEPER]["reputation"] == 0.9


def test_reputation_grows_with_work_and_falls_with_what_was_turned_down() -> None:
    first = reputation_of(0, 1, 0, 0)
    assert first == pytest.approx(0.3 / 3.3, abs=1e-4)
    assert first < reputation_of(1, 1, 0, 0) < reputation_of(10, 12, 0, 5) < 1
    assert reputation_of(0, 4, 4, 0) == 0
    assert reputation_of(2, 8, 4, 0) < reputation_of(2, 4, 0, 0)
    with pytest.raises(ValueError, match="threads=1 must hold merged=2"):
        reputation_of(2, 1, 0, 0)
