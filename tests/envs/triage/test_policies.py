"""The rules: what each does where, and that it is worth what its name promises."""

import statistics

import numpy as np
import pytest

import env_lib
from env_lib.envs.triage import classic_ml
from env_lib.envs.triage.env import AuthorView, ThreadView, TriageAction, TriageObservation
from env_lib.envs.triage.policies import (
    CONSTANT_KINDS,
    POLICIES,
    KeywordTriager,
    MemoryAware,
    audit_policies,
    cycle,
    likely_type,
)
from env_lib.envs.triage.scenario import SCENARIOS


def seen(title="A title", body="A body.", kind="issue", merged=9, first=False, **fields):
    thread = ThreadView(repo="a/b", number=7, kind=kind, title=title, body=body, age_days=1)
    author = AuthorView(handle="u1", merged=merged, account_days=900, first=first)
    return TriageObservation(
        prompt="", thread=thread, author=author, budget=50, open_threads=20, **fields
    )


def totals(name, tier, seeds=range(3), split="val"):
    env = env_lib.make("triage", scenario=tier, split=split)
    return [
        env_lib.run_episode(env, env_lib.policy("triage", name), seed).total_reward
        for seed in seeds
    ]


@pytest.mark.parametrize(
    ("obs", "kind"),
    [
        (
            seen("Act now: free crypto giveaway", "Visit https://example.com", merged=0),
            "close_spam",
        ),
        (seen("Free speech model", "Nothing else.", merged=0, first=True), "wait"),
        (seen("Crash on load", "It fails.", merged=0, first=True), "wait"),
        (seen("Crash on load", "It fails."), "label"),
        (seen("Fix the loader", kind="pull_request"), "merge_pr"),
        (seen("Fix the loader", kind="pull_request", merged=0, first=True), "wait"),
    ],
    ids=[
        "obvious spam",
        "one spam word",
        "newcomer's report",
        "known reporter",
        "known author",
        "first contribution",
    ],
)
def test_the_keyword_triager_closes_what_shouts_and_leaves_newcomers_alone(obs, kind):
    assert KeywordTriager()(obs).action_type == kind


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Typo in the README", "docs"),
        ("pip cannot find a wheel", "install"),
        ("Training is slow", "performance"),
        ("Support for Gemma", "feature"),
        ("Crash on load", "bug"),
        ("How do I merge adapters?", "question"),
        ("Bump the version after the release", "maintenance"),
        ("Adapters", None),
    ],
)
def test_words_tell_the_likely_type(text, label):
    assert likely_type(text) == label


@pytest.mark.parametrize(
    ("record", "kind"),
    [
        (None, "query_history"),
        ("spammer, 10 threads, 8 removed as spam", "close_spam"),
        ("mixed, 10 threads, 3 removed as spam", "wait"),
        ("trusted, 10 threads, 0 removed", "label"),
    ],
)
def test_memory_aware_looks_an_unknown_author_up_and_acts_on_the_record(record, kind):
    assert MemoryAware()(seen("Crash on load", merged=0, history=record)).action_type == kind


@pytest.mark.parametrize("tier", ["E2", "E3", "E4", "E5"])
def test_looking_authors_up_pays_under_attack(tier):
    assert statistics.mean(totals("memory_aware", tier)) > statistics.mean(
        totals("keyword_triager", tier)
    )


@pytest.mark.parametrize("name", [name for name in POLICIES if name != "oracle"])
def test_a_rule_gives_valid_actions_only(name):
    env = env_lib.make("triage", scenario="E1", split="val")
    policy = env_lib.policy("triage", name)
    for seed in range(2):
        obs = env.reset(seed=seed)
        policy.start(env, seed)
        while not obs.done:
            obs = env.step(policy(obs))
            assert obs.error == ""


def test_a_rule_is_a_function_of_what_it_saw_and_the_seed():
    for name in ("random", "keyword_triager", "classic_ml"):
        assert totals(name, "E1") == totals(name, "E1")


def test_a_cycle_goes_round_and_starts_anew_each_episode():
    policy = cycle("wait", "comment")()
    policy.start(None, 0)
    kinds = [policy(seen()).action_type for _ in range(3)]
    policy.start(None, 0)
    assert [*kinds, policy(seen()).action_type] == ["wait", "comment", "wait", "wait"]


def test_the_audit_has_every_constant_and_every_pair_once():
    kinds = set(CONSTANT_KINDS)
    assert kinds == set(TriageAction.needs)
    policies = [policy.kinds for policy in audit_policies().values()]
    assert len(policies) == len(kinds) + len(kinds) * (len(kinds) - 1) // 2
    assert {frozenset(pair) for pair in policies} == {
        frozenset({a, b}) for a in kinds for b in kinds
    }


# The classic control --------------------------------------------------------------------------


def test_its_chances_are_those_of_scikit_learn():
    from scipy.sparse import hstack

    words, tags, model = classic_ml.fitted()
    rows = [row for row, _ in classic_ml.examples()[::40]]
    inputs = hstack([words.transform([r[0] for r in rows]), tags.transform([r[1] for r in rows])])
    ours = [list(classic_ml.chances_of(row).values()) for row in rows]
    np.testing.assert_allclose(ours, model.predict_proba(inputs), rtol=1e-9)


def test_it_trains_on_each_real_thread_once_and_a_queues_share_of_spam():
    kinds = [kind for _, kind in classic_ml.examples()]
    assert kinds.count("close_spam") / len(kinds) == pytest.approx(classic_ml.SPAM_SHARE, abs=0.01)


@pytest.mark.parametrize("tier", SCENARIOS)
def test_it_earns_on_threads_that_it_never_saw(tier):
    assert statistics.mean(totals("classic_ml", tier)) > 0


@pytest.mark.parametrize(
    ("chances", "choice"),
    [
        ({"close_spam": 0.6, "label/bug": 0.4}, "wait"),
        ({"close_spam": 0.9, "label/bug": 0.1}, "close_spam"),
        ({"close_spam": 0.1, "label/bug": 0.8, "label/docs": 0.1}, "label/bug"),
        (
            {"label/bug": 0.2, "label/docs": 0.2, "comment": 0.2, "merge_pr": 0.2, "assign": 0.2},
            "wait",
        ),
    ],
)
def test_it_chooses_by_value_and_not_by_chance_alone(chances, choice):
    assert classic_ml.best_by_value(chances) == choice
