"""What judges a shift, counted by hand on one queue of twelve threads."""

from dataclasses import replace

import pytest

from env_lib.envs.triage import env as triage_env
from env_lib.envs.triage.env import TriageAction, TriageEnv
from env_lib.envs.triage.people import Author
from env_lib.envs.triage.scenario import SPAM_TRUTH, Item
from env_lib.envs.triage.truth import Truth

REPO = "some/project"
REGULAR = Author("u00001", 9, 900, False, 0.7, "regular")
NEWCOMER = Author("u00002", 0, 40, True, 0.5, "newcomer")
SPAMMER = Author("u00003", 0, 12, True, 0.1, "spammer")


def truth(action, label=None, source="maintainer", **fields):
    """What was right: no label but `label`, nothing acceptable beside the action."""
    labels = frozenset({label} - {None})
    known = {"duplicate_of": None, "assignee_area": None, "acceptable": frozenset()}
    return Truth(action, label, labels, source=source, scored=True, **(known | fields))


def item(number, what, author=REGULAR, **fields):
    kind = "pull_request" if what.action == "merge_pr" else "issue"
    return Item(
        REPO, number, kind, f"Title {number}", "Body.", 2, author, (), False, what, **fields
    )


def spam(number):
    return item(number, SPAM_TRUTH, SPAMMER, spam=True, stealth=1, pattern="made")


# number: the thread, then what the player does with it
SHIFT = {
    201: (spam(201), {"action_type": "close_spam"}),
    202: (spam(202), {"action_type": "label", "label": "bug"}),
    203: (spam(203), {"action_type": "request_info"}),
    204: (item(204, truth("label", "bug"), NEWCOMER), {"action_type": "close_spam"}),
    205: (item(205, truth("label", "bug"), NEWCOMER), {"action_type": "label", "label": "bug"}),
    206: (item(206, truth("label", "docs", "category")), {"action_type": "label", "label": "bug"}),
    207: (
        item(207, truth("link_duplicate", "bug", duplicate_of=11)),
        {"action_type": "link_duplicate", "duplicate_of": 11},
    ),
    208: (
        item(208, truth("link_duplicate", "bug", duplicate_of=12)),
        {"action_type": "link_duplicate", "duplicate_of": 11},
    ),
    209: (
        replace(item(209, truth("request_info"), NEWCOMER), under_described=True),
        {"action_type": "request_info"},
    ),
    210: (item(210, truth("comment")), {"action_type": "request_info"}),
    211: (item(211, truth("label", "question", "category")), {"action_type": "wait"}),
    212: (item(212, truth("wait")), {"action_type": "wait"}),
}
COUNTED = {
    "spam_precision": 1 / 2,  # 201 of 201, 204
    "spam_recall": 1 / 3,  # 201 of 201, 202, 203
    "label_accuracy": 1 / 2,  # 205 of 205, 206; a label on spam is no label
    "duplicate_accuracy": 1 / 2,  # 207 of 207, 208
    "needless_requests": 2 / 3,  # 203, 210 of 203, 209, 210
    "newcomers_wrongly_closed": 1 / 3,  # 204 of 204, 205, 209
    "queue_completion": 11 / 12,  # all but 211: 212 was waited on by the maintainers too
    "agreement": 5 / 12,  # 201, 205, 207, 209, 212
    "agreement_maintainer_truth": 4 / 7,  # 205, 207, 209, 212 of 204, 205, 207 to 210, 212
}


@pytest.fixture
def shift(monkeypatch):
    """Return a function that starts a shift whose queue is the one given."""

    def start(queue, budget=30):
        monkeypatch.setattr(triage_env, "build_queue", lambda *drawn_by: (budget, tuple(queue)))
        env = TriageEnv(scenario="E2", split="test")
        return env, env.reset(seed=0)

    return start


def play(env, obs, moves):
    for number, fields in moves.items():
        obs = env.step(TriageAction(target_issue_id=number, **fields))
        assert obs.error == ""
    return obs


def test_every_metric_of_a_hand_played_shift_is_what_was_counted(shift):
    env, obs = shift([thread for thread, _ in SHIFT.values()])
    obs = play(env, obs, {number: fields for number, (_, fields) in SHIFT.items()})
    assert obs.done
    assert obs.metadata["held_out"] == pytest.approx(COUNTED)


def test_what_was_never_reached_counts_against_recall_and_completion_alone(shift):
    env, obs = shift([thread for thread, _ in SHIFT.values()])
    play(env, obs, {number: SHIFT[number][1] for number in (201, 202)})
    assert env.held_out() == pytest.approx(
        {
            "spam_precision": 1.0,
            "spam_recall": 1 / 3,
            "newcomers_wrongly_closed": 0.0,
            "agreement": 1 / 2,
            "queue_completion": 2 / 12,
        }
    )


def test_a_second_decision_on_a_thread_and_a_question_about_its_author_change_nothing(shift):
    env, obs = shift([SHIFT[number][0] for number in (205, 201, 210)])
    play(env, obs, {205: {"action_type": "label", "label": "docs"}})
    once = env.held_out()
    assert once == {
        "spam_recall": 0.0,
        "label_accuracy": 0.0,
        "newcomers_wrongly_closed": 0.0,
        "agreement": 0.0,
        "agreement_maintainer_truth": 0.0,
        "queue_completion": 1 / 3,
    }
    play(env, obs, {205: {"action_type": "label", "label": "bug"}})
    play(env, obs, {201: {"action_type": "query_history"}})
    assert env.held_out() == once


def test_a_share_of_nothing_is_left_out(shift):
    env, obs = shift([SHIFT[number][0] for number in (210, 211)])
    assert play(env, obs, {210: {"action_type": "comment"}}).done is False
    assert set(env.held_out()) == {"agreement", "agreement_maintainer_truth", "queue_completion"}
