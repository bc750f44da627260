"""Synthetic spam threads: five patterns, each on five tiers of stealth.

Tier 0 shouts and links; 1 says an obvious claim in clean prose; 2 is a plausible report with one
cue; 3 reads like a real thread and claims one thing that the repository's facts deny; 4 has no
surface cue: every clause comes from real threads of the repository, and only its author's record
and a claim against the facts give it away. The claims: a thing is missing that a merged pull
request brought; a merged change was reverted or never merged; a thread is cited for what its title
does not say; a version that was never released; two statements that exclude each other.

A text is a pure function of its arguments and the state of the generator. A learned spammer can
take the place of ``template_spam`` behind ``SpamSource``.

Not covered: comments, images, code blocks, and claims against anything outside the repository.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

from env_lib.envs.triage.spam_claims import CLAIMS, PATTERNS, Claim, Story, draw_claim, draw_story
from env_lib.envs.triage.spam_grammar import MIN_THREADS, Corpus
from env_lib.envs.triage.spam_pieces import Piece, capital, content_words, fit, load_data, pick
from env_lib.envs.triage.spam_writer import TITLE_CHARS, Writer, joined

__all__ = [
    "PATTERNS",
    "TIERS",
    "Claim",
    "Corpus",
    "SpamSource",
    "SpamText",
    "Story",
    "appeal_text",
    "story",
    "template_spam",
]

TIERS = (0, 1, 2, 3, 4)
PULL_REQUEST_SHARE = 1 / 12


@dataclass(frozen=True, slots=True)
class SpamText:
    """A synthetic thread; ``contradicts`` is hidden, and empty below tier 3."""

    title: str
    body: str
    kind: str
    pattern: str
    tier: int
    contradicts: str


SpamSource = Callable[..., SpamText]
"""(pattern, tier, rng, corpus, repo, story=None) -> SpamText."""


def story(rng: random.Random, corpus: Corpus, repo: str) -> Story:
    """Draws a campaign about one repository; its claim is one that ``template_spam`` can word."""
    return draw_story(rng, corpus.words(repo), repo)


def template_spam(
    pattern: str,
    tier: int,
    rng: random.Random,
    corpus: Corpus,
    repo: str,
    story: Story | None = None,
) -> SpamText:
    """Writes one spam thread from grammars and the repository's own vocabulary.

    Args:
        pattern: one of ``PATTERNS``.
        tier: one of ``TIERS``.
        rng: source of chance, the only state that is used.
        corpus: vocabulary.
        repo: repository whose queue it is for, ``owner/name``.
        story: campaign to serve, of the same repository; an own one where it is None.

    Raises:
        ValueError: unknown pattern or tier, or a story about another repository.
    """
    _check(pattern, tier)
    if story is not None and story.repo != repo:
        raise ValueError(f"the story is about {story.repo!r}, the text is asked for {repo!r}")
    kind = "pull_request" if rng.random() < PULL_REQUEST_SHARE else "issue"
    words = corpus.words(repo)
    voice = kind if len(words.usable[kind]) >= MIN_THREADS else "issue"
    writer = Writer(rng, words, voice, pattern, story)
    title, body = (_loud if tier < 2 else _half if tier == 2 else _quiet)(writer, tier)
    truth = writer.claim.truth if tier > 2 else ""
    return SpamText(title, body, kind, pattern, tier, truth)


def appeal_text(
    rng: random.Random, corpus: Corpus, repo: str, closed_title: str, tier: int
) -> SpamText:
    """Writes the appeal that follows a closing; it contradicts what the closed thread said.

    Args:
        rng: source of chance.
        corpus: vocabulary.
        repo: repository of the closed thread.
        closed_title: title of the closed thread.
        tier: one of ``TIERS``.

    Raises:
        ValueError: unknown tier.
    """
    pattern = "self_contradicting_appeal"
    _check(pattern, tier)
    writer = Writer(rng, corpus.words(repo), "issue", pattern, None)
    old = corpus.compiler.piece(closed_title, title=True)
    new, change = _retold(writer, old, closed_title)
    if tier > 2:
        claim, extras = writer.opposites()
        if tier == 3:
            extras.append(writer.hint())
        body = joined([*writer.donors(extras), *extras], keep=len(extras))
        title, truth = new, f"{change or claim}; the closed thread is {closed_title!r}"
    else:
        writer.closed = fit(closed_title, 60)
        phrase = pick(rng, load_data()["patterns"]["appeal"][str(tier)])
        extra = writer.parts(tier)[1:] if tier < 2 else writer.donors()
        loud = writer.expand(pick(rng, load_data()["patterns"][pattern]["0"]["title"]))
        title = loud if tier == 0 else f"Appeal: {new}" if tier == 1 else new
        body, truth = joined([capital(writer.expand(phrase)), *extra], keep=1), ""
    return SpamText(fit(title, TITLE_CHARS), body, "issue", pattern, tier, truth)


def _check(pattern: str, tier: int) -> None:
    if pattern not in PATTERNS:
        raise ValueError(f"unknown pattern {pattern!r}, known are {', '.join(PATTERNS)}")
    if tier not in TIERS:
        raise ValueError(f"unknown tier {tier!r}, known are {TIERS}")


# The tiers ------------------------------------------------------------------------------------


def _loud(writer: Writer, tier: int) -> tuple[str, str]:
    """Tiers 0 and 1: grammar alone."""
    titles = load_data()["patterns"][writer.pattern][str(tier)]["title"]
    for _ in range(4):
        title = capital(writer.expand(pick(writer.rng, titles)))
        if len(title) <= TITLE_CHARS:
            break
    return fit(title, TITLE_CHARS), joined(writer.parts(tier), keep=2)


def _half(writer: Writer, tier: int) -> tuple[str, str]:
    """Tier 2: a real report's clauses and one sentence with a cue."""
    cues = load_data()["patterns"][writer.pattern][str(tier)]["cue"]
    extras = [capital(writer.expand(pick(writer.rng, cues)))]
    if writer.story is not None:
        extras.append(writer.phrase())
    title = writer.title()
    return title, joined([*writer.donors(extras), *extras], keep=len(extras))


def _quiet(writer: Writer, tier: int) -> tuple[str, str]:
    """Tiers 3 and 4: real clauses and a claim that the facts deny."""
    told = tier == 3
    if writer.story is None:
        writer.claim = draw_claim(writer.rng, writer.words, CLAIMS[tier][writer.pattern])
    title = _titled(writer, told)
    extras = _claimed(writer, told)
    if told and writer.rng.random() < 0.5:
        extras.append(writer.hint())
    donors = writer.donors(extras, int(told or sum(map(len, extras)) < 40))
    extras = extras if donors else writer.varied(extras, more=1)
    return title, joined([*donors, *extras], keep=len(extras))


def _titled(writer: Writer, told: bool) -> str:
    """Titles a stealthy thread, so that a citation cannot be right by chance."""
    claim = writer.claim
    if claim.kind == "missing" and not told:
        return writer.wish()
    for _ in range(6):
        title = writer.title()
        if claim.kind != "reference":
            break
        if not content_words(title) & writer.words.facts[claim.cited].words:
            break
    return title


def _claimed(writer: Writer, told: bool) -> list[str]:
    """Says the claim: outright, or hidden in real sentences; nothing where the title says it."""
    kind = writer.claim.kind
    if kind == "self":
        truth, sentences = writer.opposites()
        writer.claim = replace(writer.claim, truth=truth)
        return sentences
    if told or kind in ("reverted", "state"):
        return [writer.phrase()]
    if kind == "reference":
        return [writer.citing()]
    return [writer.dated()] if kind == "version" else []


def _retold(writer: Writer, old: Piece, closed_title: str) -> tuple[str, str]:
    """Says a closed title again about another thing; empty change where it names nothing."""
    for segment in old.segments():
        if isinstance(segment, str) or segment[0].startswith(("syn:", "ref", "num", "version")):
            continue
        pool = [w for w in writer.words.pools.get(segment[0], ()) if w != segment[1]]
        if pool:
            other = pick(writer.rng, pool)
            title = closed_title.replace(segment[1], other, 1)
            return fit(title, TITLE_CHARS), f"speaks of {other} where it spoke of {segment[1]}"
    return writer.crossed(old, True), ""
