"""Honest duplicates say a known bug again, and retrieval finds the original."""

import random
from functools import cache

import pytest

from env_lib.envs.triage.duplicates import can_be_repeated, duplicate_report
from env_lib.envs.triage.spam_grammar import Corpus
from env_lib.envs.triage.spam_pieces import content_words
from env_lib.envs.triage.threads import Thread, load_threads

REPOS = ("huggingface/peft", "huggingface/trl", "unslothai/unsloth")


@cache
def corpus() -> Corpus:
    return Corpus.of(load_threads())


def bugs(repo: str) -> list[Thread]:
    kinds = ("bug", "install", "performance")
    found = [t for t in load_threads() if t.repo == repo and t.kind == "issue"]
    return [t for t in found if t.category in kinds and can_be_repeated(t)]


@pytest.mark.parametrize("repo", REPOS)
def test_retrieval_finds_the_original_on_top_in_most_cases(repo: str) -> None:
    import bm25s

    own = [thread for thread in load_threads() if thread.repo == repo]
    split = [sorted(content_words(f"{t.title} {t.body}")) for t in own]
    index = bm25s.BM25()
    index.index(split, show_progress=False)
    rng, found = random.Random(0), 0
    for thread in bugs(repo):
        title, body = duplicate_report(rng, corpus(), thread)
        query = [w for w in sorted(content_words(f"{title} {body}")) if w in index.vocab_dict]
        found += own[int(index.get_scores(query).argmax())].number == thread.number
    assert found / len(bugs(repo)) >= 0.85


def test_a_duplicate_is_not_a_copy() -> None:
    rng = random.Random(1)
    for thread in bugs(REPOS[0]):
        title, body = duplicate_report(rng, corpus(), thread)
        assert body != thread.body
        assert (title, body) != duplicate_report(rng, corpus(), thread)


def test_most_duplicates_have_another_title() -> None:
    rng = random.Random(2)
    threads = [thread for repo in REPOS for thread in bugs(repo)]
    same = sum(duplicate_report(rng, corpus(), t)[0] == t.title for t in threads)
    assert same < 0.1 * len(threads)


def test_a_duplicate_fits_the_length_of_the_bundled_records() -> None:
    rng = random.Random(3)
    for thread in load_threads():
        title, body = duplicate_report(rng, corpus(), thread)
        assert 0 < len(title) <= 88
        assert 0 < len(body) <= 280


def test_identifiers_of_the_title_stay() -> None:
    rng = random.Random(4)
    for thread in bugs(REPOS[0]):
        title, body = duplicate_report(rng, corpus(), thread)
        named = [part for i, part in enumerate(thread.title.split("`")) if i % 2]
        assert all(name in title + body for name in named)


def test_same_seed_same_duplicate_and_the_global_generator_is_left_alone() -> None:
    thread = bugs(REPOS[1])[0]
    before = random.getstate()
    first = duplicate_report(random.Random(5), corpus(), thread)
    assert duplicate_report(random.Random(5), corpus(), thread) == first
    assert random.getstate() == before


def test_a_repository_that_the_corpus_does_not_know_is_named_in_the_error() -> None:
    small = Corpus.of([thread for thread in load_threads() if thread.repo == REPOS[0]])
    with pytest.raises(KeyError, match="huggingface/trl"):
        duplicate_report(random.Random(6), small, bugs(REPOS[1])[0])
