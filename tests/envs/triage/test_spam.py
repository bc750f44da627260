"""Synthetic spam: shape, determinism, variety, stealth by tier, and what it contradicts."""

import random
import re
import time
from functools import cache

import pytest

from env_lib.envs.triage.spam import (
    PATTERNS,
    TIERS,
    SpamText,
    appeal_text,
    story,
    template_spam,
)
from env_lib.envs.triage.spam_grammar import Corpus
from env_lib.envs.triage.spam_pieces import content_words
from env_lib.envs.triage.threads import Thread, load_threads

REPOS = ("huggingface/peft", "huggingface/trl", "unslothai/unsloth")
CELLS = [(pattern, tier) for pattern in PATTERNS for tier in TIERS]
NAMES = [f"{pattern}-{tier}" for pattern, tier in CELLS]


@cache
def corpus() -> Corpus:
    return Corpus.of(load_threads())


@cache
def drawn(tier: int, count: int = 300) -> tuple[SpamText, ...]:
    rng = random.Random(tier)
    return tuple(
        template_spam(PATTERNS[i % 5], tier, rng, corpus(), REPOS[i % 3]) for i in range(count)
    )


def threads(repo: str) -> dict[int, Thread]:
    return {thread.number: thread for thread in load_threads() if thread.repo == repo}


@pytest.mark.parametrize(("pattern", "tier"), CELLS, ids=NAMES)
def test_a_text_has_the_shape_of_a_bundled_record(pattern: str, tier: int) -> None:
    rng = random.Random(0)
    for repo in REPOS * 20:
        text = template_spam(pattern, tier, rng, corpus(), repo)
        assert (text.pattern, text.tier) == (pattern, tier)
        assert text.kind in ("issue", "pull_request")
        assert 0 < len(text.title) <= 88
        assert 20 < len(text.body) <= 280
        assert bool(text.contradicts) == (tier >= 3)


def test_twenty_thousand_seeds_give_as_many_texts() -> None:
    seen = set()
    for seed in range(20_000):
        pattern, tier = CELLS[seed % 25]
        text = template_spam(pattern, tier, random.Random(seed), corpus(), REPOS[seed // 25 % 3])
        seen.add((text.title, text.body))
    assert len(seen) == 20_000


def test_same_seed_same_text_and_the_global_generator_is_left_alone() -> None:
    before = random.getstate()
    for pattern, tier in CELLS:
        one, two = (
            template_spam(pattern, tier, random.Random(7), corpus(), REPOS[1]) for _ in range(2)
        )
        assert one == two
    assert random.getstate() == before


def test_the_order_of_the_threads_changes_no_text() -> None:
    shuffled = list(load_threads())
    random.Random(1).shuffle(shuffled)
    other = Corpus.of(shuffled)
    for pattern, tier in CELLS:
        one, two = (
            template_spam(pattern, tier, random.Random(9), words, REPOS[0])
            for words in (corpus(), other)
        )
        assert one == two


def test_about_one_text_in_twelve_is_a_pull_request() -> None:
    texts = [text for tier in TIERS for text in drawn(tier)]
    share = sum(text.kind == "pull_request" for text in texts) / len(texts)
    assert 0.06 < share < 0.11


def test_links_use_reserved_domains_and_vanish_above_tier_two() -> None:
    for tier in TIERS:
        hosts = re.findall(r"https?://([^/\s]+)", " ".join(text.body for text in drawn(tier)))
        assert all(re.search(r"(?:\.|^)example\.(?:com|org|net)$", host) for host in hosts)
        assert bool(hosts) == (tier <= 2)


def test_a_version_claim_names_a_version_that_no_thread_knows() -> None:
    found = 0
    for tier in (3, 4):
        for repo in REPOS:
            text = " ".join(f"{t.title} {t.body}" for t in threads(repo).values())
            for spam in _claims(tier, repo, "was never released"):
                version = spam.contradicts.split()[1]
                assert version in spam.title + spam.body
                assert not re.search(rf"(?<![\d.]){re.escape(version)}(?![\d.])", text)
                found += 1
    assert found > 50


def test_a_claim_that_a_thing_is_missing_or_undone_is_denied_by_a_merged_pull_request() -> None:
    found = 0
    for tier in (3, 4):
        for repo in REPOS[:2]:
            for spam in _claims(tier, repo, "is merged"):
                number = int(spam.contradicts[1:].split()[0])
                assert threads(repo)[number].state == "merged"
                found += 1
    assert found > 50


def test_a_cited_thread_has_a_title_about_something_else() -> None:
    found = shared = 0
    for tier in (3, 4):
        for repo in REPOS:
            for spam in _claims(tier, repo, "is about something else"):
                number = spam.contradicts[1:].split()[0]
                assert re.search(rf"\b{number}\b", spam.body)
                assert threads(repo)[int(number)].title in spam.contradicts
                shared += bool(
                    content_words(spam.title) & content_words(threads(repo)[int(number)].title)
                )
                found += 1
    assert found > 30
    assert shared <= 0.05 * found


def test_statements_that_exclude_each_other_are_both_in_the_body() -> None:
    found = [spam for repo in REPOS for spam in _claims(4, repo, "says both")]
    for spam in found:
        first, second = re.findall(r"'([^']*)'", spam.contradicts)
        assert first in spam.body
        assert second in spam.body
    assert found


def _claims(tier: int, repo: str, marker: str) -> list[SpamText]:
    rng = random.Random(f"{tier} {repo}")
    texts = [template_spam(PATTERNS[i % 5], tier, rng, corpus(), repo) for i in range(200)]
    return [text for text in texts if marker in text.contradicts]


@pytest.mark.parametrize("tier", TIERS)
def test_accounts_of_a_campaign_tell_one_story_in_different_words(tier: int) -> None:
    rng = random.Random(tier)
    for repo in REPOS:
        plot = story(rng, corpus(), repo)
        texts = [
            template_spam(PATTERNS[i % 5], tier, rng, corpus(), repo, story=plot) for i in range(40)
        ]
        assert len({(text.title, text.body) for text in texts}) == 40
        assert len({text.contradicts for text in texts}) == 1
        promo = [text for text in texts if text.pattern == PATTERNS[0]]
        if tier < 2:
            assert all(plot.product.lower() in (t.title + t.body).lower() for t in promo)


def test_a_story_about_another_repository_is_refused() -> None:
    plot = story(random.Random(0), corpus(), REPOS[0])
    with pytest.raises(ValueError, match="huggingface/peft"):
        template_spam(PATTERNS[0], 3, random.Random(0), corpus(), REPOS[1], story=plot)


@pytest.mark.parametrize("tier", TIERS)
def test_an_appeal_varies_fits_and_says_what_it_contradicts(tier: int) -> None:
    rng = random.Random(tier)
    closed = [spam.title for spam in drawn(tier)]
    appeals = [appeal_text(rng, corpus(), REPOS[i % 3], t, tier) for i, t in enumerate(closed)]
    assert len({(appeal.title, appeal.body) for appeal in appeals}) == len(closed)
    for appeal, title in zip(appeals, closed, strict=True):
        assert 0 < len(appeal.title) <= 88
        assert 20 < len(appeal.body) <= 280
        assert (repr(title) in appeal.contradicts) == (tier >= 3)


def test_a_loud_appeal_cites_the_closed_title() -> None:
    appeal = appeal_text(random.Random(0), corpus(), REPOS[0], "LoRA is slow", 1)
    assert '"LoRA is slow"' in appeal.body


@pytest.mark.parametrize(("pattern", "tier"), [("advert", 0), (PATTERNS[0], 5)])
def test_an_unknown_pattern_or_tier_lists_the_known_ones(pattern: str, tier: int) -> None:
    with pytest.raises(ValueError, match=r"unknown .* known are"):
        template_spam(pattern, tier, random.Random(0), corpus(), REPOS[0])


def test_a_corpus_without_merged_pull_requests_still_gets_every_pattern() -> None:
    issues = [thread for thread in load_threads() if thread.kind == "issue"][:3]
    small = Corpus.of(issues)
    for pattern, tier in CELLS:
        rng = random.Random(0)
        assert template_spam(pattern, tier, rng, small, issues[0].repo).body


def test_an_empty_corpus_and_an_unknown_repository_are_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        Corpus.of([])
    with pytest.raises(KeyError, match="nobody/nothing"):
        corpus().words("nobody/nothing")


def test_a_hundred_texts_take_a_few_milliseconds() -> None:
    rng, best = random.Random(0), 1.0
    for _ in range(20):
        start = time.process_time()
        for i in range(100):
            template_spam(PATTERNS[i % 5], TIERS[i // 20], rng, corpus(), REPOS[i % 3])
        best = min(best, (time.process_time() - start) / 100)
    assert best < 120e-6  # 60 is the aim; twice that on a busy machine


def test_words_give_the_lower_tiers_away_and_the_upper_ones_less_and_less() -> None:
    score = {tier: word_accuracy(tier) for tier in TIERS}
    assert min(score[0], score[1]) >= 0.95
    assert score[1] > score[2] > score[3] > score[4]
    assert score[4] < 0.75


def word_accuracy(tier: int) -> float:
    """Cross-validated accuracy of TF-IDF and logistic regression, real against spam issues."""
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import StratifiedKFold, cross_val_score
    from sklearn.pipeline import make_pipeline

    rng = random.Random(tier)
    texts, kinds = [], []
    for i, thread in enumerate(t for t in load_threads() if t.kind == "issue"):
        spam = template_spam(PATTERNS[i % 5], tier, rng, corpus(), thread.repo)
        if spam.kind == "issue":
            texts += [f"{thread.title}\n{thread.body}", f"{spam.title}\n{spam.body}"]
            kinds += [0, 1]
    model = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10, solver="liblinear"))
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    return float(cross_val_score(model, texts, kinds, cv=folds).mean())
