"""The rules of truth, one by one, in their order, and on the bundled facts."""

import subprocess
import sys

import pytest

from env_lib.envs.triage import truth as t
from env_lib.envs.triage.facts import bundled_records

NOTHING = {
    "asked_for_info": False,
    "answered": False,
    "duplicate_of": None,
    "fixed_by": None,
    "closed_as": None,
    "merged": None,
}


def record(kind="issue", state="closed", **fields):
    """A verified record in which no maintainer did anything; names of NOTHING go into it."""
    acts = {key: fields.pop(key) for key in list(fields) if key in NOTHING}
    base = {
        "repo": "huggingface/peft",
        "number": 100,
        "kind": kind,
        "state": state,
        "labels": [],
        "title": "A title",
        "body": "A body",
        "category": "bug",
        "has_repro": True,
        "has_versions": False,
        "has_traceback": False,
        "evidence": "maintainer seen",
        "state_verified": True,
    }
    return base | fields | {"maintainer": NOTHING | acts}


def pull(state="closed", **fields):
    return record("pull_request", state, **fields)


def test_a_merged_pull_request_is_merged_also_where_only_its_state_was_seen():
    assert t.merged_pull_request(pull("merged")).action == "merge_pr"
    assert t.merged_pull_request(pull("merged", evidence="state only")).source == "maintainer"
    assert t.merged_pull_request(pull("closed", merged=False)) is None
    assert t.merged_pull_request(record()) is None


def test_a_duplicate_is_linked_to_an_older_thread_and_never_to_a_newer_one():
    found = t.duplicate_of_older(record(duplicate_of=99))
    assert (found.action, found.duplicate_of) == ("link_duplicate", 99)
    for other in (100, 101, None):
        assert t.duplicate_of_older(record(duplicate_of=other, closed_as="duplicate")) is None


def test_a_question_of_the_maintainers_is_a_request_whatever_the_state():
    for state in ("open", "closed"):
        asked = record(state=state, asked_for_info=True, state_verified=False)
        assert t.asked_for_information(asked).action == "request_info"
    assert t.asked_for_information(record()) is None


def test_a_type_label_that_was_set_is_the_label():
    assert t.type_label_set(record(labels=["🏋 GRPO", "✨ enhancement"])).label == "feature"
    assert t.type_label_set(record(labels=["🏋 GRPO", "solved"])) is None
    assert t.type_label_set(record(labels=["bug"], evidence="state only; filed")) is None


def test_of_two_type_labels_the_one_that_is_also_the_category_counts_and_both_overlap():
    both = record(labels=["question", "bug"])
    assert t.type_label_set(both).label == "bug"
    assert t.truth_of(both).labels == {"bug", "question"}
    assert t.type_label_set(both | {"category": "docs"}).label == "question"


@pytest.mark.parametrize(("category", "area"), sorted(t.AREA_OF.items()))
def test_an_assigned_thread_goes_to_the_area_of_its_type(category, area):
    found = t.truth_of(record(state="open", assignees=["0123456789"], category=category))
    assert (found.action, found.assignee_area) == ("assign", area)
    assert t.assigned(record(assignees=[])) is None


def test_answered_and_closed_without_a_change_is_a_comment():
    assert t.answered_and_closed(record(answered=True)).action == "comment"
    assert t.answered_and_closed(pull(answered=True)).action == "comment"
    assert t.answered_and_closed(record(state="open", answered=True)) is None
    assert t.answered_and_closed(record(answered=True, fixed_by=101)) is None
    assert t.answered_and_closed(record(answered=True, state_verified=False)) is None


def test_a_closing_remark_counts_as_closed_where_the_stored_state_lags():
    lagging = record(state="open", answered=True, closed_as="not_planned")
    assert t.answered_and_closed(lagging).action == "comment"


def test_a_thread_fixed_by_another_change_was_valid_and_takes_its_category():
    found = t.fixed_by_change(record(answered=True, fixed_by=120, category="docs"))
    assert (found.action, found.label, found.source) == ("label", "docs", "maintainer")
    assert t.fixed_by_change(record()) is None


def test_waiting_is_right_only_where_it_is_known_that_nobody_acted():
    assert t.nothing_done(record(state="open")).action == "wait"
    assert t.nothing_done(pull("closed", merged=False)).action == "wait"
    assert t.nothing_done(record()) is None, "somebody closed the issue"
    for weak in ({"answered": True}, {"state_verified": False}, {"evidence": "state only"}):
        assert t.nothing_done(record(state="open", **weak)) is None


def test_where_no_act_is_shown_an_issue_takes_its_category_and_a_pull_request_is_not_scored():
    issue = t.truth_of(record(evidence="state only", category="feature"))
    assert (issue.action, issue.label, issue.source) == ("label", "feature", "category")
    assert issue.scored
    assert not t.truth_of(pull(evidence="state only", merged=False)).scored
    assert not t.truth_of(pull("open", state_verified=False)).scored


def test_an_unverified_state_gives_the_category_and_an_act_in_the_text_still_counts():
    assert t.truth_of(record(state="open", state_verified=False)).source == "category"
    asked = record(state="open", state_verified=False, asked_for_info=True)
    assert t.truth_of(asked).source == "maintainer"


ORDERED = [
    ("merged_pull_request", pull("merged", duplicate_of=1), "merge_pr"),
    ("duplicate_of_older", record(duplicate_of=1, asked_for_info=True), "link_duplicate"),
    ("asked_for_information", record(asked_for_info=True, labels=["bug"]), "request_info"),
    ("type_label_set", record(labels=["bug"], assignees=["0123456789"]), "label"),
    ("assigned", record(assignees=["0123456789"], answered=True), "assign"),
    ("answered_and_closed", record(answered=True), "comment"),
    ("fixed_by_change", record(state="open", fixed_by=120), "label"),
    ("nothing_done", record(state="open"), "wait"),
    ("by_category", record(), "label"),
]


@pytest.mark.parametrize(("rule", "given", "action"), ORDERED, ids=[row[0] for row in ORDERED])
def test_the_first_rule_that_answers_decides(rule, given, action):
    names = [each.__name__ for each in t.RULES]
    answers = [each.__name__ for each in t.RULES if each(given) is not None]
    assert names == [row[0] for row in ORDERED]
    assert answers[0] == rule
    assert t.truth_of(given).action == action


def test_acceptable_actions_come_from_the_table_and_depend_on_the_description():
    bare = {"has_repro": False}
    assert t.truth_of(record(answered=True)).acceptable == set()
    assert t.truth_of(record(answered=True, **bare)).acceptable == {"request_info"}
    assert t.truth_of(record(labels=["bug"])).acceptable == set()
    assert t.truth_of(record(labels=["bug"], **bare)).acceptable == {"request_info"}
    assert t.truth_of(pull("merged", **bare)).acceptable == set()
    assert t.truth_of(record(state="open")).acceptable == {"comment"}
    for action, sets in t.ACCEPTABLE.items():
        assert action in t.ACTIONS
        assert action not in frozenset().union(*sets)
        assert frozenset().union(*sets) <= set(t.ACTIONS)


def test_a_thread_is_under_described_when_all_three_are_known_to_be_missing():
    bare = record(has_repro=False)
    assert t.under_described(bare)
    assert t.under_described(bare | {"category": "install"})
    assert not t.under_described(bare | {"category": "feature"})
    assert not t.under_described(bare | {"kind": "pull_request"})
    for key in ("has_repro", "has_versions", "has_traceback"):
        assert not t.under_described(bare | {key: True})
        assert not t.under_described(bare | {key: None}), "unknown is not missing"


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("🐛 bug", "bug"),
        ("URGENT BUG", "bug"),
        ("type: bug", "bug"),
        ("kind/bug", "bug"),
        ("feature request", "feature"),
        ("✨ enhancement", "feature"),
        ("❓ question", "question"),
        ("📚 documentation", "docs"),
        ("Performance", "performance"),
        ("installation", "install"),
        ("dependencies", "maintenance"),
        *((name, name) for name in t.LABELS),
        ("🏋 GRPO", None),
        ("⏳ needs more info", None),
        ("fixed - pending confirmation", None),
        ("good first issue", None),
        ("debug", None),
        ("❓", None),
        ("", None),
    ],
)
def test_a_repository_label_names_a_type_or_none(label, expected):
    assert t.type_label(label) == expected


def test_every_bundled_record_has_a_truth_that_hangs_together():
    for given in bundled_records():
        found = t.truth_of(given)
        assert found.action in t.ACTIONS
        assert found.label in t.LABELS
        assert found.label in found.labels
        assert found.labels <= set(t.LABELS)
        assert (found.duplicate_of is not None) == (found.action == "link_duplicate")
        assert (found.assignee_area is not None) == (found.action == "assign")
        assert found.duplicate_of is None or found.duplicate_of < given["number"]
        assert found.source == "maintainer" or found.action == "label"
        assert found.source == "maintainer" or found.scored == (given["kind"] == "issue")


def test_truth_is_told_without_any_heavy_library():
    code = "import sys, env_lib.envs.triage.truth; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in run.stdout.split()}
    assert not loaded & {"torch", "openenv", "transformers", "gradio"}
