"""What happens in a shift: targets, questions, endings, appeals; and the queue of a seed."""

import re
from collections import Counter
from dataclasses import replace

import pytest

import env_lib
from env_lib.core import StopReason
from env_lib.envs.triage import leaks
from env_lib.envs.triage.env import TriageAction, TriageEnv, outcome_of
from env_lib.envs.triage.people import HARMLESS_GAIN
from env_lib.envs.triage.scenario import SCENARIOS, build_queue, library, sizes
from env_lib.envs.triage.spam import template_spam
from env_lib.envs.triage.threads import load_threads

TIERS = list(SCENARIOS)


def started(tier="E2", seed=0, split="test", **options):
    env = TriageEnv(scenario=tier, split=split, **options)
    return env, env.reset(seed=seed)


def act(kind, obs, **fields):
    return TriageAction(action_type=kind, target_issue_id=obs.thread.number, **fields)


def parts(obs):
    return {name: value for name, value in obs.metadata["reward_components"].items() if value}


def queue_of(tier, seed=0, split="test", steps=None):
    return build_queue(SCENARIOS[tier], library(split), seed, steps)[1]


# Steps ----------------------------------------------------------------------------------------


def test_a_question_about_the_author_is_answered_and_stays_on_the_thread():
    env, first = started()
    obs = env.step(act("query_history", first))
    assert first.history is None
    assert obs.thread == first.thread
    assert re.fullmatch(r"\w+, \d+ threads, (0 removed|[1-9]\d* removed as spam)", obs.history)
    assert f"record: {obs.history}" in obs.prompt
    assert parts(obs) == {"workflow_efficiency": -0.02}


def test_any_other_action_moves_on_to_the_next_thread():
    env, first = started()
    obs = env.step(act("wait", first))
    assert obs.thread != first.thread
    assert (obs.handled, obs.open_threads) == (1, first.open_threads - 1)


def test_asking_twice_within_five_steps_costs_the_repetition():
    env, first = started()
    env.step(act("query_history", first))
    assert parts(env.step(act("query_history", first)))["repeat_action_penalty"] == -0.15


@pytest.mark.parametrize("kind", ["close_spam", "link_duplicate", "merge_pr"])
def test_a_thread_that_was_shut_is_no_target_any_more(kind):
    env, first = started()
    env.step(act(kind, first, duplicate_of=1 if kind == "link_duplicate" else None))
    obs = env.step(act("label", first, label="bug"))
    now = obs.thread.number
    wanted = f"target_issue_id {first.thread.number} is not an open thread; current: {now}"
    assert obs.error == wanted
    assert parts(obs) == {"workflow_efficiency": -0.02, "invalid_action": -0.5}


def test_a_thread_that_was_left_may_be_taken_up_again_but_only_the_first_decision_counts():
    env, first = started()
    second = env.step(act("wait", first))
    obs = env.step(act("comment", first))
    assert obs.error == ""
    assert obs.thread == second.thread
    assert parts(obs) == {"workflow_efficiency": -0.02}
    assert obs.handled == 1


def test_a_thread_that_has_not_arrived_is_no_target():
    env, first = started()
    later = env._queue[5].number
    assert (
        "not an open thread"
        in env.step(act("wait", first).model_copy(update={"target_issue_id": later})).error
    )


@pytest.mark.parametrize("number", [-1, 0, 10**9, 10**5000], ids=["minus", "zero", "large", "huge"])
def test_an_impossible_number_is_answered(number):
    env, first = started()
    obs = env.step(TriageAction.model_construct(action_type="wait", target_issue_id=number))
    assert "is not an open thread" in obs.error
    assert len(obs.error) < 100
    assert obs.thread == first.thread


def test_missing_fields_are_answered_also_where_no_text_was_parsed():
    env, first = started()
    assert env.step(act("label", first)).error == "label needs label"


def test_the_shift_ends_when_every_thread_was_passed_or_the_steps_are_spent():
    env, obs = started("E0", steps=10)
    budget = obs.budget
    while not obs.done:
        obs = env.step(act("wait", obs))
    assert obs.metadata["stop_reason"] == StopReason.COMPLETED
    env, obs = started("E0", steps=10)
    while not obs.done:
        obs = env.step(act("query_history", obs))
    assert (obs.metadata["stop_reason"], obs.step) == (StopReason.BUDGET, budget)
    assert obs.prompt == "The shift is over."


def test_the_last_step_pays_completion_times_spam_recall():
    env, obs = started("E2", steps=20)
    while not obs.done:
        obs = env.step(env.oracle_action())
    assert parts(obs)["terminal"] == 1.0
    env, obs = started("E2", steps=20)
    while not obs.done:
        obs = env.step(act("label", obs, label="bug"))
    assert parts(obs)["terminal"] == -1.0, "no spam was closed"


def test_impossible_options_are_refused_with_what_would_be_right():
    with pytest.raises(ValueError, match="steps=4; an episode needs at least 5"):
        TriageEnv(steps=4)
    with pytest.raises(ValueError, match="prompt_tokens=111; a thread needs at least 112"):
        TriageEnv(prompt_tokens=111)


def test_the_oracle_never_asks_needlessly():
    for tier in ("E0", "E1"):
        for seed in range(3):
            env, obs = started(tier, seed, split="train")
            while not obs.done:
                obs = env.step(env.oracle_action())
                assert obs.metadata["reward_components"]["info_request"] >= 0


def test_what_was_learned_of_an_author_is_kept_for_later_threads():
    env, obs = started("E4", seed=1)
    learned, met_again = {}, 0
    while not obs.done:
        handle = obs.author.handle
        assert obs.history == learned.get(handle)
        met_again += handle in learned
        if handle not in learned and obs.budget - obs.step > obs.open_threads:
            obs = env.step(act("query_history", obs))
            learned[handle] = obs.history
        if not obs.done:
            obs = env.step(act("wait", obs))
    assert met_again > 0


def test_closing_spam_brings_appeals_of_the_same_author_in_the_same_repository():
    env, obs = started("E5", seed=0)
    closed, appeals = {}, 0
    while not obs.done:
        item = env._current()
        if item.appeal_of:
            appeals += 1
            assert closed[item.appeal_of] == (item.repo, item.author.handle)
            assert obs.closed_before >= 1
            assert "of this author's threads as spam" in obs.prompt
        if item.spam:
            closed[item.number] = (item.repo, item.author.handle)
        obs = env.step(env.oracle_action())
    assert appeals > 20


def test_who_closes_nothing_meets_no_appeal():
    env, obs = started("E5", seed=0)
    while not obs.done:
        assert env._current().appeal_of == 0
        obs = env.step(act("wait", obs))


@pytest.mark.parametrize("name", leaks.CHECKS)
def test_nothing_hidden_shows(name):
    assert leaks.CHECKS[name]("test", range(3)) == ""


def test_the_leak_checks_find_a_leak():
    env, obs = started("E3")
    item = env._current()
    told = obs.model_copy(update={"metadata": {"reputation": 1}})
    assert "reputation" in leaks.leaked(told, item)
    told = obs.model_copy(update={"prompt": f"{item.author.reputation!r}"})
    assert "hidden value" in leaks.leaked(told, item)


# Truth ----------------------------------------------------------------------------------------


def test_the_oracles_action_is_always_the_maintainers():
    for tier in TIERS:
        env, obs = started(tier, steps=40)
        while not obs.done:
            assert outcome_of(env.oracle_action(), env._current()) == "same"
            obs = env.step(env.oracle_action())


@pytest.mark.parametrize(
    ("wanted", "given", "outcome"),
    [
        ("label", {"action_type": "label", "label": "right"}, "same"),
        ("label", {"action_type": "label", "label": "wrong"}, "wrong"),
        ("label", {"action_type": "wait"}, "abstained"),
        ("label", {"action_type": "comment"}, "wrong"),
        ("comment", {"action_type": "comment"}, "same"),
        ("request_info", {"action_type": "comment"}, "acceptable"),
        ("merge_pr", {"action_type": "comment"}, "wrong"),
        ("merge_pr", {"action_type": "close_spam"}, "wrong"),
    ],
)
def test_an_action_is_the_same_acceptable_an_abstention_or_wrong(wanted, given, outcome):
    items = [item for seed in range(3) for item in queue_of("E0", seed, split="train")]
    item = next(item for item in items if item.truth.action == wanted)
    if given.get("label") == "right":
        given = given | {"label": item.truth.label}
    elif given.get("label") == "wrong":
        given = given | {
            "label": next(x for x in ("docs", "install") if x not in item.truth.labels)
        }
    assert outcome_of(TriageAction(target_issue_id=item.number, **given), item) == outcome


# The queue ------------------------------------------------------------------------------------


@pytest.mark.parametrize("tier", TIERS)
def test_a_queue_has_its_tiers_share_of_spam_and_stealth(tier):
    queue, plan = queue_of(tier, seed=1), SCENARIOS[tier]
    assert sum(item.spam for item in queue) / len(queue) == pytest.approx(plan.spam, abs=0.01)
    assert {item.stealth for item in queue if item.spam} == set(plan.stealth)
    assert all(item.stealth == -1 for item in queue if not item.spam)


@pytest.mark.parametrize("tier", TIERS)
def test_numbers_are_unique_and_synthetic_threads_take_unused_ones(tier):
    queue, lib = queue_of(tier, seed=1), library("test")
    assert max(Counter(item.number for item in queue).values()) == 1
    for item in queue:
        synthetic = item.spam or item.truth.source == "synthetic"
        assert (item.number in lib.numbers[item.repo]) != synthetic


def test_real_threads_are_drawn_from_the_split_alone_and_once():
    for split in ("train", "val", "test"):
        pool = {(t.repo, t.number) for t in library(split).pool}
        real = [
            (i.repo, i.number) for i in queue_of("E3", split=split) if i.truth.source != "synthetic"
        ]
        assert set(real) <= pool
        assert len(set(real)) == len(real)


def test_no_two_seeds_share_a_spam_text():
    texts = [{i.body for i in queue_of("E5", seed) if i.spam} for seed in range(3)]
    assert all(len(texts[i] & texts[j]) == 0 for i in range(3) for j in range(i))


def test_a_split_with_too_few_threads_shortens_the_tier_and_keeps_the_spam_share():
    steps, real, spam, duplicates = sizes(SCENARIOS["E5"], 70)
    assert steps < SCENARIOS["E5"].steps
    assert real <= 70
    assert spam / (real + spam) == pytest.approx(0.65, abs=0.01)
    assert duplicates == 0
    assert sizes(SCENARIOS["E5"], 10_000)[0] == SCENARIOS["E5"].steps


def test_release_week_brings_a_burst_of_duplicates_after_their_original():
    for seed in range(4):
        queue = queue_of("E1", seed)
        again = [
            i for i, item in enumerate(queue) if item.truth.source == "synthetic" and not item.spam
        ]
        targets = {queue[i].truth.duplicate_of for i in again}
        assert len(targets) == 1
        original = next(i for i, item in enumerate(queue) if item.number in targets)
        assert original < min(again)
        assert max(again) - min(again) <= 3 * len(again)
        assert all(queue[i].truth.duplicate_of < queue[i].number for i in again)


def test_most_duplicates_show_their_original_among_the_similar_threads():
    items = [item for seed in range(8) for item in queue_of("E1", seed)]
    again = [item for item in items if item.truth.source == "synthetic" and not item.spam]
    found = sum(item.truth.duplicate_of in [hit[0] for hit in item.similar] for item in again)
    assert found / len(again) >= 0.85


def test_similar_threads_are_older_than_the_thread():
    for item in queue_of("E3"):
        assert all(number < item.number for number, _, _ in item.similar)


def test_campaigns_and_long_cons_reuse_accounts():
    handles = Counter(item.author.handle for item in queue_of("E4") if item.spam)
    assert max(handles.values()) >= 2
    queue = queue_of("E4")
    harmless = [item for item in queue if not item.spam and item.author.role == "spammer"]
    assert harmless
    assert {item.author.handle for item in harmless} <= set(handles)


def test_an_account_of_a_long_con_posts_its_harmless_threads_before_its_spam():
    several = 0
    for seed in range(4):
        queue = queue_of("E4", seed)
        spam = {i.author.handle: n for n, i in reversed([*enumerate(queue)]) if i.spam}
        harmless = Counter()
        for n, item in enumerate(queue):
            if not item.spam and item.author.role == "spammer":
                assert n < spam[item.author.handle]
                harmless[item.author.handle] += 1
        assert max(harmless.values()) <= 2
        several += sum(posts == 2 for posts in harmless.values())
    assert several > 10


@pytest.mark.parametrize("split", ["train", "val"])
def test_spam_is_written_from_no_thread_that_is_newer_than_its_split(split):
    newest = {"train": "val", "val": "test"}[split]
    later = {(t.repo, t.number) for t in load_threads() if t.split == newest}
    written = {(t.repo, t.number) for t in library(split).corpus.threads}
    assert later
    assert written
    assert not written & later


def test_spam_cites_older_threads_as_real_threads_do():
    items = [i for i in queue_of("E4", split="train") if i.spam]
    cited = [(n, i.number) for i in items for n in re.findall(r"#(\d+)", f"{i.title} {i.body}")]
    assert len(cited) > 20
    # not all: some spam invents a number, which may be newer than every thread
    assert sum(int(old) < new for old, new in cited) >= 0.9 * len(cited)


def test_options_are_remembered_for_the_replay():
    env = env_lib.make("triage", scenario="E3", split="val", steps=12, prompt_tokens=112)
    assert env.options == {"steps": 12, "prompt_tokens": 112}


def test_each_closing_of_spam_is_appealed_while_spam_of_its_repository_comes():
    env, obs = started("E5", seed=1)
    originals, appealed = [], []
    while not obs.done:
        item = env._current()
        if item.appeal_of:
            appealed.append(item.appeal_of)
        elif item.spam:
            originals.append(item.number)
        obs = env.step(env.oracle_action())
    assert len(set(appealed)) == len(appealed)
    assert not set(appealed) - set(originals)
    assert len(appealed) >= len(originals) - 3


def test_a_coordinated_attack_tells_one_story_by_several_accounts():
    env, _ = started("E3", seed=0)
    campaigns = {}
    for item in env._queue:
        if item.campaign:
            campaigns.setdefault(item.campaign, []).append(item)
    assert campaigns
    for items in campaigns.values():
        assert len({item.repo for item in items}) == 1
    assert max(len({i.author.handle for i in items}) for items in campaigns.values()) >= 4


def test_half_of_the_spam_wave_is_obvious():
    spam = [i for seed in range(6) for i in started("E2", seed=seed)[0]._queue if i.spam]
    obvious = sum(item.stealth == 1 for item in spam) / len(spam)
    assert 0.4 < obvious < 0.6


def test_honest_accounts_come_back_and_contribute_first_once():
    env, _ = started("E0", seed=0)
    handles = [item.author.handle for item in env._queue]
    assert len(set(handles)) < len(handles)
    for tier in ("E0", "E4"):
        first = [i.author.handle for i in started(tier, seed=3)[0]._queue if i.author.first]
        assert len(set(first)) == len(first)


def test_harmless_threads_improve_the_record_of_a_long_con():
    gains = []
    for seed in range(3):
        queue = started("E4", seed=seed)[0]._queue
        spammers = {item.author.handle for item in queue if item.spam}
        patient = {i.author.handle for i in queue if not i.spam and i.author.handle in spammers}
        gains += [i.author.reputation for i in queue if i.spam and i.author.handle in patient]
    assert gains
    assert min(gains) >= HARMLESS_GAIN


def test_another_spammer_takes_the_place_of_the_templates():
    def learned(pattern, tier, rng, corpus, repo, story=None):
        text = template_spam(pattern, tier, rng, corpus, repo, story=story)
        return replace(text, body=f"A model wrote this {rng.randrange(10**9)}.")

    env = TriageEnv(scenario="E2", split="train", spam=learned)
    env.reset(seed=0)
    bodies = {item.body.startswith("A model wrote this") for item in env._queue if item.spam}
    assert bodies == {True}


def test_the_sixth_step_after_may_repeat_an_action_and_the_fifth_may_not():
    env, obs = started("E2", seed=0)
    first = act("query_history", obs)
    env.step(first)
    for _ in range(4):
        env.step(TriageAction(action_type="wait", target_issue_id=10**6))  # no such thread
    fifth, sixth = env.branch(), env.branch()
    paid = fifth.step(first).metadata["reward_components"]
    assert paid["repeat_action_penalty"] < 0
    sixth.step(TriageAction(action_type="wait", target_issue_id=10**6))
    paid = sixth.step(first).metadata["reward_components"]
    assert paid.get("repeat_action_penalty", 0.0) == 0
