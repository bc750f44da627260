"""What a stealthy spam thread claims against the facts of its repository."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from env_lib.envs.triage.spam_grammar import RepoWords
from env_lib.envs.triage.spam_pieces import load_data, pick

PATTERNS = (
    "promotional_link",
    "fabricated_urgency",
    "title_paraphrase",
    "contributor_mimicry",
    "self_contradicting_appeal",
)

CLAIMS: Mapping[int, Mapping[str, tuple[str, ...]]] = {
    3: dict.fromkeys(PATTERNS, ("missing", "reverted", "state", "reference", "version", "self")),
    4: {
        "promotional_link": ("missing", "missing", "version", "reference"),
        "fabricated_urgency": ("missing", "version", "version", "reference"),
        "title_paraphrase": ("missing", "missing", "version", "reference"),
        "contributor_mimicry": ("missing", "version", "reference"),
        "self_contradicting_appeal": ("self", "missing", "reference", "version"),
    },
}
"""Kinds of claim by tier and pattern, as often as they are drawn; below tier 3 there is none."""


@dataclass(frozen=True, slots=True)
class Claim:
    """Something false about a repository; ``truth`` says what is the case instead."""

    kind: str
    about: int
    """Index in ``RepoWords.facts`` of the thread whose subject the text is near to."""
    cited: int
    """Index of the thread that the text refers to; mostly the same."""
    version: str = ""
    truth: str = ""


@dataclass(frozen=True, slots=True)
class Story:
    """What several accounts of one campaign push, each in its own words."""

    repo: str
    product: str
    link: str
    identifier: str
    claim: Claim


def draw_story(rng: random.Random, words: RepoWords, repo: str) -> Story:
    """Draws a campaign about one repository."""
    kinds = [kind for kind in CLAIMS[3][PATTERNS[0]] if kind != "self"]
    product = draw_product(rng)
    identifier = pick(rng, words.pools.get("id") or (words.package,))
    return Story(repo, product, draw_link(rng, product), identifier, draw_claim(rng, words, kinds))


def draw_product(rng: random.Random) -> str:
    """Makes up the name of a product."""
    lists = load_data()["words"]["lists"]
    syllables = [pick(rng, lists["syllable"]) for _ in range(3)]
    return "".join(syllables).capitalize() + pick(rng, lists["ending"])


def draw_link(rng: random.Random, product: str) -> str:
    """Makes up the address of a product, on a reserved domain."""
    return f"https://{product.lower()}.{pick(rng, load_data()['words']['lists']['host'])}"


def draw_claim(rng: random.Random, words: RepoWords, kinds: Sequence[str]) -> Claim:
    """Draws a claim of one of the kinds; one that the repository cannot carry becomes a version."""
    kind = pick(rng, kinds)
    changes = words.brought if kind == "missing" else words.merged
    if kind in ("missing", "reverted", "state") and changes:
        anchor = pick(rng, changes)
        fact = words.facts[anchor]
        return Claim(kind, anchor, anchor, truth=f"#{fact.number} is merged: {fact.title}")
    anchor = pick(rng, words.usable["issue"])
    if kind == "self":
        return Claim(kind, anchor, anchor, truth="says two things that exclude each other")
    if kind == "reference":
        cited = _unrelated(rng, words, anchor)
        if cited is not None:
            fact = words.facts[cited]
            truth = f"#{fact.number} is about something else: {fact.title}"
            return Claim(kind, anchor, cited, truth=truth)
    version = _unreleased(rng, words)
    truth = f"{words.package} {version} was never released"
    return Claim("version", anchor, anchor, version, truth)


def _unrelated(rng: random.Random, words: RepoWords, anchor: int) -> int | None:
    """Finds a thread whose title shares no word with the anchor's."""
    own = words.facts[anchor].words
    for _ in range(8):
        other = int(rng.random() * len(words.facts))
        if other != anchor and not own & words.facts[other].words:
            return other
    return None


def _unreleased(rng: random.Random, words: RepoWords) -> str:
    """Makes a version with a patch number beyond all that the repository's threads name."""
    major, minor = pick(rng, words.releases)
    return f"{major}.{minor}.{words.patch + 3 + int(rng.random() * 4)}"
