"""The reward table, one hand-written step a row; and proof that no leaf falls silent unseen."""

from itertools import product

import pytest

from env_lib.envs.triage.env import REWARD_RANGE, TriageAction
from env_lib.envs.triage.rubric import StepFacts, triage_rubric
from env_lib.rubric import Leaf, WeightedSum, table

STEP = -0.02
CASES = {
    "the right label": (
        StepFacts("label", outcome="same", jaccard=1.0, decided=True),
        {"action_match": 1.0, "label_overlap": 0.4},
    ),
    "one of two labels": (
        StepFacts("label", outcome="same", jaccard=0.5, decided=True),
        {"action_match": 1.0, "label_overlap": 0.2},
    ),
    "an acceptable comment": (
        StepFacts("comment", outcome="acceptable", decided=True),
        {"action_match": 0.4},
    ),
    "an abstention": (StepFacts("wait", outcome="abstained", decided=True), {}),
    "a wrong comment": (
        StepFacts("comment", outcome="wrong", decided=True),
        {"action_match": -0.5},
    ),
    "spam closed": (
        StepFacts("close_spam", outcome="same", spam=True, reputation="low", decided=True),
        {"action_match": 1.0, "spam_resistance": 0.8, "reputation_alignment": 0.2},
    ),
    "spam merged": (
        StepFacts("merge_pr", outcome="wrong", spam=True, reputation="low", decided=True),
        {"action_match": -0.5, "spam_resistance": -0.7},
    ),
    "spam labelled": (
        StepFacts("label", outcome="wrong", spam=True, reputation="low", decided=True),
        {"action_match": -0.5, "spam_resistance": -0.7, "reputation_alignment": -0.2},
    ),
    "spam answered": (
        StepFacts("comment", outcome="wrong", spam=True, decided=True),
        {"action_match": -0.5},
    ),
    "a newcomer's report closed": (
        StepFacts("close_spam", outcome="wrong", decided=True),
        {"action_match": -0.5, "spam_resistance": -4.0, "reputation_alignment": 0.0},
    ),
    "a trusted author's report closed": (
        StepFacts("close_spam", outcome="wrong", reputation="trusted", decided=True),
        {"action_match": -0.5, "spam_resistance": -4.0, "reputation_alignment": -0.2},
    ),
    "a trusted author's report labelled": (
        StepFacts("label", outcome="same", jaccard=1.0, reputation="trusted", decided=True),
        {"action_match": 1.0, "label_overlap": 0.4, "reputation_alignment": 0.2},
    ),
    "a question that was needed": (
        StepFacts("request_info", outcome="same", decided=True, under_described=True),
        {"action_match": 1.0, "info_request": 0.15},
    ),
    "a needless question": (
        StepFacts("request_info", outcome="wrong", decided=True),
        {"action_match": -0.5, "info_request": -0.15},
    ),
    "a question asked again": (
        StepFacts("request_info", under_described=True, requested_before=True, repeated=True),
        {"info_request": -0.15, "repeat_action_penalty": -0.15},
    ),
    "a record looked up": (StepFacts("query_history"), {}),
    "no action": (StepFacts("invalid", valid=False), {"invalid_action": -0.5}),
    "a shift finished": (
        StepFacts(
            "wait", outcome="abstained", decided=True, last=True, completion=1.0, spam_gate=1.0
        ),
        {"terminal": 1.0},
    ),
    "a shift half done": (
        StepFacts(
            "wait", outcome="abstained", decided=True, last=True, completion=0.5, spam_gate=0.5
        ),
        {"terminal": -0.5},
    ),
}
each_case = pytest.mark.parametrize("name", CASES)


def paid(rubric, facts):
    return {name: value for name, value in rubric.components(facts).items() if value}


@each_case
def test_a_step_pays_what_the_table_says(name):
    facts, wanted = CASES[name]
    wanted = {part: value for part, value in wanted.items() if value}
    assert paid(triage_rubric(), facts) == pytest.approx(wanted | {"workflow_efficiency": STEP})
    assert triage_rubric().score(facts) == pytest.approx(sum(wanted.values()) + STEP)


def leaves(tree, prefix=""):
    for name, child in tree.children.items():
        if isinstance(child, WeightedSum):
            yield from leaves(child, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", tree, name


@pytest.mark.parametrize("path", [path for path, _, _ in leaves(triage_rubric())])
def test_a_leaf_that_returned_nothing_would_be_seen(path):
    broken = triage_rubric()
    parent, name = next((tree, name) for found, tree, name in leaves(broken) if found == path)
    parent.children[name] = Leaf(lambda facts: 0.0)
    changed = [
        case
        for case, (facts, _) in CASES.items()
        if paid(broken, facts) != paid(triage_rubric(), facts)
    ]
    assert changed, f"no case tells that {path} is broken"


def test_every_weight_of_the_table_is_in_the_docstring():
    from env_lib.envs.triage import rubric

    for path, weight in table(triage_rubric()).items():
        assert f"{abs(weight):g}" in rubric.__doc__.replace(".0 ", " "), path


def test_closing_a_real_thread_is_the_worst_single_step():
    totals = {name: triage_rubric().score(facts) for name, (facts, _) in CASES.items()}
    assert min(totals, key=totals.__getitem__) == "a trusted author's report closed"
    assert totals["a newcomer's report closed"] < 3 * totals["spam labelled"] < 0


def reachable():
    """Every kind, outcome, author and ending of a step that an episode can hold together."""
    outcomes = ("same", "acceptable", "abstained", "wrong")
    endings = [
        (False, 0.0, 0.0),
        *((True, done, gate) for done in (0.0, 1.0) for gate in (0.0, 1.0)),
    ]
    for last, completion, gate in endings:
        end = {"last": last, "completion": completion, "spam_gate": gate}
        yield StepFacts("invalid", valid=False, **end)
        for kind, repeated in product(TriageAction.needs, (False, True)):
            # what was decided before, and a question about the author, decide nothing
            for asked, needed in product((False, True), (False, True)):
                yield StepFacts(kind, repeated=repeated, requested_before=asked,
                                under_described=needed, **end)  # fmt: skip
            if kind == "query_history" or repeated:
                continue
            for outcome, spam, rep, needed, jaccard in product(
                outcomes,
                (False, True),
                ("low", "trusted", "unknown"),
                (False, True),
                (0.0, 0.5, 1.0),
            ):
                right = outcome in ("same", "acceptable")
                if jaccard and (kind != "label" or spam or not right):
                    continue  # an overlap is that of a right label on a real thread
                if spam and right != (kind == "close_spam"):
                    continue  # with spam, one thing is right
                if not spam and kind == "close_spam" and right:
                    continue  # and with a real thread it never is
                yield StepFacts(kind, outcome, jaccard, spam, rep, True, needed, **end)


def test_the_stated_range_is_that_of_every_step_that_can_be_made():
    rubric = triage_rubric()
    totals = [rubric.score(facts) for facts in reachable()]
    low, high = REWARD_RANGE
    assert low <= min(totals)
    assert max(totals) <= high
    assert min(totals) - low < 0.25, "wider than need be"
    assert high - max(totals) < 0.25, "wider than need be"
